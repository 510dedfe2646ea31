import { Button } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field-error.tsx";

type ListEndProps = { label: string; isFull: boolean; onAdd: () => void; error: string | undefined };

/** The end of a list in a form: the add button, and a problem with the list as a whole. */
export function ListEnd({ label, isFull, onAdd, error }: ListEndProps) {
  return (
    <>
      <Button data-add size="sm" icon="plus" className="justify-self-start" disabled={isFull} onClick={onAdd}>
        {label}
      </Button>
      <FieldError error={error} />
    </>
  );
}
