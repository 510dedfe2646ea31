import { Field } from "#web/ui/field.tsx";
import { BrowserFields } from "../browser-fields.tsx";
import type { SectionProps } from "./section-props.ts";

/** How the browser opens the page, and what it waits for before the capture. */
export function BrowserSection({ fields, problems, put, inherited }: SectionProps) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <BrowserFields fields={fields} problems={problems} put={put} inherited={inherited?.browser} />
      <fieldset className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <legend className="mb-1.5 text-sm text-muted">
          Before the capture, wait at most 15 seconds each for
        </legend>
        <Field
          label="Wait for an element"
          mono
          placeholder=".prices"
          hint="A CSS selector. It has to be visible."
          value={fields.waitSelector}
          onChange={(event) => put({ waitSelector: event.target.value })}
          error={problems.waitSelector}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label="Wait for seconds"
          type="number"
          inputMode="numeric"
          min={1}
          max={15}
          step={1}
          value={fields.waitSeconds}
          onChange={(event) => put({ waitSeconds: event.target.value })}
          error={problems.waitSeconds}
        />
        <Field
          label="Wait for text"
          placeholder="In stock"
          value={fields.waitText}
          onChange={(event) => put({ waitText: event.target.value })}
          error={problems.waitText}
          autoComplete="off"
        />
        <label className="flex items-center gap-2 self-end pb-2 text-sm">
          <input
            type="checkbox"
            checked={fields.waitQuiet}
            onChange={(event) => put({ waitQuiet: event.target.checked })}
            className="size-4 accent-accent-text"
          />
          No more requests
        </label>
      </fieldset>
    </div>
  );
}
