import { useRef, useState } from "react";
import { bodyTypeOf } from "#contract/body-type.ts";
import type { Trigger } from "#contract/job.ts";
import { placeholders, triggerPresets } from "#contract/placeholders.ts";
import type { Plan } from "#contract/plans.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { checkBody } from "./check-body.ts";
import { type JobFields, methods, type Problems } from "./fields.ts";
import { HeaderList } from "./header-list.tsx";
import { TestTrigger } from "./test-trigger.tsx";

type TriggerFieldsProps = {
  fields: JobFields;
  problems: Problems;
  plan: Plan;
  /** The job whose masked header values are meant, once there is one. */
  jobId?: string;
  put: (part: Partial<JobFields>) => void;
};

/** What is requested when the page changes. */
export function TriggerFields({ fields, problems, plan, jobId, put }: TriggerFieldsProps) {
  const [filled, setFilled] = useState("");
  const body = useRef<HTMLTextAreaElement>(null);
  const isJson = bodyTypeOf(fields.triggerHeaders) === "json";
  const bodyProblem = isJson ? checkBody(fields.triggerBody) : undefined;
  const preset = fields.triggerUrl || fields.triggerBody ? filled : "";
  const hint = triggerPresets.find(({ id }) => id === preset)?.hint;

  function fill(id: string) {
    setFilled(id);
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
    const until = box?.selectionEnd ?? at;
    const text = `{{${name}}}`;
    put({ triggerBody: fields.triggerBody.slice(0, at) + text + fields.triggerBody.slice(until) });
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
          label="Fill in for"
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
              ? "Not sent with GET and HEAD. With a Content-Type header it may be a form or text."
              : isJson
                ? "Valid JSON."
                : "Sent as its Content-Type header says."
          }
          spellCheck={false}
        />
        <details className="text-sm">
          <summary className="w-max rounded-sm text-muted hover:text-ink">Placeholders</summary>
          <ul className="mt-2 grid gap-1 sm:grid-cols-2">
            {Object.entries(placeholders).map(([name, says]) => (
              <li key={name}>
                <button
                  type="button"
                  title={says}
                  onClick={() => insert(name)}
                  className="w-full rounded-sm px-1.5 py-0.5 text-start hover:bg-hover"
                >
                  <code className="font-mono text-xs text-accent-text">{`{{${name}}}`}</code>
                  <span className="block truncate text-xs text-muted">{says}</span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      </div>
      <TextArea
        label="Execute if one of the strings was found"
        rows={2}
        hint="One a line. Empty: at every change."
        value={fields.triggerStrings}
        onChange={(event) => put({ triggerStrings: event.target.value })}
        error={problems.triggerStrings}
      />
      <HeaderList
        label="Trigger headers"
        headers={fields.triggerHeaders}
        onChange={(triggerHeaders) => put({ triggerHeaders })}
        error={problems.triggerHeaders}
      />
      <TestTrigger fields={fields} jobId={jobId} />
    </div>
  );
}
