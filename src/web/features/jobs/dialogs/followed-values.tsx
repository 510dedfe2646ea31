import { useRef } from "react";
import { flushSync } from "react-dom";
import type { Follow } from "#detection/follow.ts";
import { IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Select } from "#web/ui/select.tsx";
import { cell } from "./conditions.tsx";
import type { JobFields, Problems } from "./fields.ts";
import { ListEnd, Wrong } from "./list-end.tsx";

const maximum = 10;

const wayNames: Record<Follow["by"], string> = {
  price: "Price, found by itself",
  availability: "Availability, found by itself",
  number: "The only number compared",
  selector: "Selector",
  pattern: "Pattern",
};
const examples: Partial<Record<Follow["by"], string>> = {
  selector: ".price, xpath:… or jsonpath:…",
  pattern: "/Price: (\\S+)/",
};

const hasRule = ({ by }: Follow) => by === "selector" || by === "pattern";

type FollowedValuesProps = { fields: JobFields; problems: Problems; put: (part: Partial<JobFields>) => void };

/** The values that each check reads off the page. */
export function FollowedValues({ fields: { values }, problems, put }: FollowedValuesProps) {
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
          ? "Read a price, a stock or any number at each check: it gets a chart, and its changes are told. Back in stock is told every time."
          : "Alerts tell when one changes or goes missing. Conditions and {{value.NAME}} in a trigger use them."}
      </p>
      {values.map((value, at) => {
        const error = problems.rows?.values === at ? problems.values : undefined;
        const edge = error ? "border-danger" : "border-edge";
        return (
          // A row has no identity but its place.
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
            <Wrong error={error} />
          </div>
        );
      })}
      <ListEnd
        label="Add Number"
        isFull={values.length >= maximum}
        onAdd={add}
        error={problems.rows?.values === undefined ? problems.values : undefined}
      />
    </fieldset>
  );
}
