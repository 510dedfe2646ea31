import { useRef } from "react";
import { flushSync } from "react-dom";
import { Button, IconButton } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field-error.tsx";
import { type HeaderField, maximumHeaders } from "./fields.ts";

type HeaderListProps = {
  label: string;
  headers: HeaderField[];
  onChange: (headers: HeaderField[]) => void;
  error?: string;
};

const cell =
  "h-8 w-full min-w-0 rounded-control border border-edge bg-surface px-2.5 font-mono text-sm placeholder:text-quiet";

/** Name and value pairs, at most ten. */
export function HeaderList({ label, headers, onChange, error }: HeaderListProps) {
  const full = headers.length >= maximumHeaders;
  const put = (at: number, part: Partial<HeaderField>) =>
    onChange(headers.map((header, i) => (i === at ? { ...header, ...part } : header)));
  const list = useRef<HTMLFieldSetElement>(null);
  function add() {
    flushSync(() => onChange([...headers, { name: "", value: "" }]));
    // Each header has two inputs: a name and a value.
    list.current?.querySelectorAll("input")[headers.length * 2]?.focus();
  }
  function remove(at: number) {
    flushSync(() => onChange(headers.filter((_, i) => i !== at)));
    // The next row's remove button now has this index; after the last row, it is the add button.
    list.current?.querySelectorAll("button")[at]?.focus();
  }
  return (
    <fieldset ref={list} className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {headers.map((header, i) => (
        // Rows have no id, so the index is the key.
        <div key={i} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
          <input
            aria-label={`Name of header ${i + 1}`}
            placeholder="Name"
            value={header.name}
            onChange={(event) => put(i, { name: event.target.value })}
            className={cell}
            autoComplete="off"
            spellCheck={false}
          />
          <input
            aria-label={`Value of header ${i + 1}`}
            placeholder="Value"
            value={header.value}
            onChange={(event) => put(i, { value: event.target.value })}
            className={cell}
            autoComplete="off"
            spellCheck={false}
          />
          <IconButton icon="close" label={`Remove header ${i + 1}`} onClick={() => remove(i)} />
        </div>
      ))}
      <div className="flex items-center gap-3">
        <Button size="sm" icon="plus" disabled={full} onClick={add}>
          Add Header
        </Button>
        <span className="figures text-sm text-muted">
          {headers.length} of {maximumHeaders}
        </span>
      </div>
      <FieldError error={error} />
    </fieldset>
  );
}
