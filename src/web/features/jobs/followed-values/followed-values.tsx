import { useRef } from "react";
import { flushSync } from "react-dom";
import type { Follow } from "#detection/followed-values/followed-values.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { FieldError } from "#web/ui/field-error.tsx";
import { Select } from "#web/ui/select.tsx";
import { cell } from "../job-form/conditions/conditions.tsx";
import type { JobFields, Problems } from "../job-form/fields.ts";
import { ListEnd } from "../job-form/list-end.tsx";
import { PreviewedValue } from "./previewed-value.tsx";
import { usePreviewedValues } from "./use-previewed-values.ts";

const maximum = 10;

const wayNames: Record<Follow["by"], string> = {
  price: "Price, detected automatically",
  availability: "Availability, detected automatically",
  number: "The only number compared",
  selector: "Selector",
  pattern: "Pattern",
};
const examples: Partial<Record<Follow["by"], string>> = {
  selector: ".price, xpath:… or jsonpath:…",
  pattern: "/Price: (\\S+)/",
};

const hasRule = ({ by }: Follow) => by === "selector" || by === "pattern";

type FollowedValuesProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  jobId?: string | undefined;
};

/** Edits the values that each check reads from the page. */
export function FollowedValues({ fields, problems, put, jobId }: FollowedValuesProps) {
  const { values } = fields;
  const { previewed, preview } = usePreviewedValues(fields, jobId);
  const list = useRef<HTMLFieldSetElement>(null);
  const change = (at: number, part: Partial<Follow>) =>
    put({ values: values.map((one, i) => (i === at ? { ...one, ...part } : one)) });
  function add() {
    const isFirst = !values.some(({ name }) => name === "price");
    flushSync(() => put({ values: [...values, { name: isFirst ? "price" : "", by: "price", rule: "" }] }));
    list.current?.querySelectorAll<HTMLElement>("[data-name]")[values.length]?.focus();
  }
  function remove(at: number) {
    flushSync(() => put({ values: values.filter((_, i) => i !== at) }));
    list.current?.querySelector<HTMLElement>("[data-add]")?.focus();
  }
  return (
    <fieldset ref={list} className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="sr-only">Numbers</legend>
      <p className="text-sm text-muted">
        {values.length === 0
          ? "Read a price, stock level or any number at each check. It gets a chart and alerts when it changes. Back in stock is alerted every time."
          : "You’re alerted when a number changes or goes missing. Use it in conditions, and as {{value.NAME}} in triggers and messages."}
      </p>
      {values.map((value, at) => {
        const error = problems.rows?.values === at ? problems.values : undefined;
        const found = previewed?.values[at];
        const edge = error ? "border-danger" : "border-edge";
        return (
          // Rows have no id, so the index is the key.
          <div key={at} className="grid grid-cols-1 gap-1.5 rounded-control bg-sunken p-2">
            <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[8rem_minmax(0,1fr)_auto]">
              <input
                data-name
                aria-label={`Name of value ${at + 1}`}
                aria-invalid={error ? true : undefined}
                placeholder="Name"
                value={value.name}
                onChange={(event) => change(at, { name: event.target.value })}
                className={cx(cell, edge, "font-mono text-sm")}
                maxLength={30}
                autoComplete="off"
                spellCheck={false}
              />
              <div className="grid gap-2 max-sm:col-span-2 max-sm:row-start-2">
                <Select
                  label={`Where value ${at + 1} is found`}
                  hideLabel
                  value={value.by}
                  onChange={(by) => change(at, { by: by as Follow["by"] })}
                  options={Object.entries(wayNames).map(([way, label]) => ({ value: way, label }))}
                />
                {hasRule(value) && (
                  <input
                    aria-label={`Rule of value ${at + 1}`}
                    aria-invalid={error ? true : undefined}
                    placeholder={examples[value.by]}
                    value={value.rule}
                    onChange={(event) => change(at, { rule: event.target.value })}
                    className={cx(cell, edge, "font-mono text-sm")}
                    autoComplete="off"
                    spellCheck={false}
                  />
                )}
              </div>
              <IconButton icon="close" label={`Remove value ${at + 1}`} onClick={() => remove(at)} />
            </div>
            <FieldError error={error} />
            {found && previewed && (
              <PreviewedValue name={value.name} found={found} image={previewed.image} of={previewed.of} />
            )}
          </div>
        );
      })}
      {preview && values.length > 0 && (
        <div className="flex flex-wrap items-center gap-2" aria-live="polite">
          <Button
            size="sm"
            icon="eye"
            busy={preview.isBusy}
            disabled={fields.url.trim() === ""}
            onClick={preview.ask}
          >
            {preview.ready ? "Read again" : values.length === 1 ? "See what it reads" : "See what they read"}
          </Button>
          {preview.problem && !preview.isBusy && (
            <span className="text-sm text-removed">
              {preview.problem.message || "We couldn’t reach the server."}
            </span>
          )}
        </div>
      )}
      <ListEnd
        label="Add Number"
        isFull={values.length >= maximum}
        onAdd={add}
        error={problems.rows?.values === undefined ? problems.values : undefined}
      />
    </fieldset>
  );
}
