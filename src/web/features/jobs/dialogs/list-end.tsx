import { Button } from "#web/ui/button.tsx";

type ListEndProps = { label: string; isFull: boolean; onAdd: () => void; error: string | undefined };

/** The end of a list in a form: one more, and what is wrong with all of it. */
export function ListEnd({ label, isFull, onAdd, error }: ListEndProps) {
  return (
    <>
      <Button data-add size="sm" icon="plus" className="justify-self-start" disabled={isFull} onClick={onAdd}>
        {label}
      </Button>
      <Wrong error={error} />
    </>
  );
}

/** What is wrong, where it is. */
export function Wrong({ error }: { error: string | undefined }) {
  return (
    error && (
      <p role="alert" className="text-sm text-removed">
        {error}
      </p>
    )
  );
}
