import { useRef, useState } from "react";
import { bodyTypeOf } from "#contract/body-type.ts";
import type { Trigger } from "#contract/job.ts";
import { otherPlaceholders, placeholders } from "#message-templates/placeholders.ts";
import type { Plan } from "#plans/plans.ts";
import { triggerPresets } from "#triggers/presets.ts";
import { Field } from "#web/ui/field.tsx";
import { NamedValueList } from "#web/ui/named-value-list.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { type JobFields, methods, type Problems } from "../fields.ts";
import { checkBody } from "./check-body.ts";
import { TestTrigger } from "./test-trigger.tsx";

type TriggerFieldsProps = {
  fields: JobFields;
  problems: Problems;
  plan: Plan;
  /** The job that masked header values belong to; absent for a new job. */
  jobId?: string;
  put: (part: Partial<JobFields>) => void;
};

/** The values that a body can contain; a click inserts one. */
function Placeholders({ onInsert }: { onInsert: (name: string) => void }) {
  return (
    <details className="text-sm">
      <summary className="w-max rounded-sm text-muted hover:text-ink">Placeholders</summary>
      <ul className="mt-2 grid grid-cols-1 gap-1 sm:grid-cols-2">
        {Object.entries({ ...placeholders, ...otherPlaceholders }).map(([name, says]) => (
          <li key={name} className="min-w-0">
            <button
              type="button"
              title={says}
              onClick={() => onInsert(name)}
              className="w-full rounded-sm px-1.5 py-0.5 text-start hover:bg-hover"
            >
              <code className="font-mono text-xs text-accent-text">{`{{${name}}}`}</code>
              <span className="block truncate text-xs text-muted">{says}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Edits the HTTP request that is sent when the page changes. */
export function TriggerFields({ fields, problems, plan, jobId, put }: TriggerFieldsProps) {
  const [filledPreset, setFilledPreset] = useState("");
  const body = useRef<HTMLTextAreaElement>(null);
  const isJson = bodyTypeOf(fields.triggerHeaders) === "json";
  const bodyProblem = isJson ? checkBody(fields.triggerBody) : undefined;
  const preset = fields.triggerUrl || fields.triggerBody ? filledPreset : "";
  const hint = triggerPresets.find(({ id }) => id === preset)?.hint;

  function fill(id: string) {
    setFilledPreset(id);
    const found = triggerPresets.find((one) => one.id === id);
    if (!found) return;
    put({
      triggerUrl: found.url,
      triggerMethod: found.method,
      triggerBody: found.body,
      triggerHeaders: found.headers.map((header) => ({ ...header })),
    });
  }

  function insert(name: string) {
    const box = body.current;
    const at = box?.selectionStart ?? fields.triggerBody.length;
    const end = box?.selectionEnd ?? at;
    const text = `{{${name}}}`;
    put({ triggerBody: fields.triggerBody.slice(0, at) + text + fields.triggerBody.slice(end) });
    requestAnimationFrame(() => {
      box?.focus();
      box?.setSelectionRange(at + text.length, at + text.length);
    });
  }

  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_112px]">
        <Field
          label="Trigger HTTP URL"
          mono
          inputMode="url"
          placeholder="https://hooks.example.com/changed"
          value={fields.triggerUrl}
          onChange={(event) => put({ triggerUrl: event.target.value })}
          error={problems.triggerUrl}
          hint={
            plan.triggers === null
              ? "Requested when the page changes."
              : `Requested when the page changes. ${plan.name}: on ${plan.triggers} job.`
          }
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          label="Method"
          value={fields.triggerMethod}
          onChange={(method) => put({ triggerMethod: method as Trigger["method"] })}
          options={methods.map((method) => ({ value: method, label: method }))}
        />
      </div>
      <div className="grid gap-1.5">
        <Select
          label="Template for"
          value={preset}
          onChange={fill}
          placeholder="A workflow engine"
          options={triggerPresets.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {hint && <p className="text-sm text-muted">{hint}</p>}
      </div>
      <div className="grid gap-2">
        <TextArea
          ref={body}
          label="JSON body"
          mono
          rows={4}
          placeholder={'{ "text": "{{summary}}" }'}
          value={fields.triggerBody}
          onChange={(event) => put({ triggerBody: event.target.value })}
          error={bodyProblem ?? problems.triggerBody}
          hint={
            fields.triggerBody.trim() === ""
              ? "Not sent with GET or HEAD. Set a Content-Type header to send a form or text instead."
              : isJson
                ? "Valid JSON."
                : "Sent with the Content-Type header’s type."
          }
          spellCheck={false}
        />
        <Placeholders onInsert={insert} />
      </div>
      <TextArea
        label="Execute if one of the strings was found"
        rows={2}
        hint="One per line. Leave empty to run on every change."
        value={fields.triggerStrings}
        onChange={(event) => put({ triggerStrings: event.target.value })}
        error={problems.triggerStrings}
      />
      <NamedValueList
        label="Trigger headers"
        noun="header"
        addLabel="Add Header"
        values={fields.triggerHeaders}
        onChange={(triggerHeaders) => put({ triggerHeaders })}
        error={problems.triggerHeaders}
      />
      <TestTrigger fields={fields} jobId={jobId} />
    </div>
  );
}
