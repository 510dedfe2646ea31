import { useRef } from "react";
import { flushSync } from "react-dom";
import { Button, IconButton } from "./button.tsx";
import { FieldError } from "./field-error.tsx";
import { maxNamedValues, type NamedValue } from "./named-value.ts";

const cell =
  "h-8 w-full min-w-0 rounded-control border border-edge bg-surface px-2.5 font-mono text-sm text-ink placeholder:text-quiet";

type NamedValueListProps = {
  label: string;
  hint?: string;
  values: NamedValue[];
  onChange: (values: NamedValue[]) => void;
  error?: string | undefined;
  /** What one of them is called, such as "header". */
  noun: string;
  addLabel: string;
  /** What the first one's name is until it is changed. */
  firstName?: string;
  isSecret?: boolean;
};

/** Name and value pairs, at most ten. */
export function NamedValueList(props: NamedValueListProps) {
  const { label, hint, values, onChange, error, noun, addLabel, firstName = "", isSecret = false } = props;
  const put = (at: number, part: Partial<NamedValue>) =>
    onChange(values.map((value, i) => (i === at ? { ...value, ...part } : value)));
  const list = useRef<HTMLFieldSetElement>(null);
  function add() {
    flushSync(() => onChange([...values, { name: values.length === 0 ? firstName : "", value: "" }]));
    // Each row has two inputs: a name and a value.
    list.current?.querySelectorAll("input")[values.length * 2]?.focus();
  }
  function remove(at: number) {
    flushSync(() => onChange(values.toSpliced(at, 1)));
    // The next row's remove button now has this index; after the last row, it is the add button.
    list.current?.querySelectorAll("button")[at]?.focus();
  }
  return (
    <fieldset ref={list} className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint && <p className="text-sm text-muted">{hint}</p>}
      {values.map(({ name, value }, i) => (
        // Rows have no id, so the index is the key.
        <div key={i} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
          <input
            aria-label={`Name of ${noun} ${i + 1}`}
            placeholder="Name"
            value={name}
            onChange={(event) => put(i, { name: event.target.value })}
            className={cell}
            autoComplete="off"
            spellCheck={false}
          />
          <input
            aria-label={`Value of ${noun} ${i + 1}`}
            placeholder="Value"
            type={isSecret ? "password" : "text"}
            value={value}
            onChange={(event) => put(i, { value: event.target.value })}
            className={cell}
            autoComplete={isSecret ? "new-password" : "off"}
            spellCheck={false}
          />
          <IconButton icon="close" label={`Remove ${noun} ${i + 1}`} onClick={() => remove(i)} />
        </div>
      ))}
      <div className="flex items-center gap-3">
        <Button size="sm" icon="plus" disabled={values.length >= maxNamedValues} onClick={add}>
          {addLabel}
        </Button>
        <span className="figures text-sm text-muted">
          {values.length} of {maxNamedValues}
        </span>
      </div>
      <FieldError error={error} />
    </fieldset>
  );
}
