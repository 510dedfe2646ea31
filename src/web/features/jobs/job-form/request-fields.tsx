import type { PageRequest } from "#contract/job.ts";
import { requestMethods, takesBody } from "#contract/request-method.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { JobFields, Problems } from "./fields.ts";

type RequestFieldsProps = { fields: JobFields; problems: Problems; put: (part: Partial<JobFields>) => void };

/** Edits how the page is requested, for pages that need more than a plain GET. */
export function RequestFields({ fields, problems, put }: RequestFieldsProps) {
  const hasBody = takesBody(fields.requestMethod);
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="Method"
          value={fields.requestMethod}
          onChange={(method) => put({ requestMethod: method as PageRequest["method"] })}
          options={requestMethods.map((method) => ({ value: method, label: method }))}
          error={problems.requestMethod}
        />
        {hasBody && (
          <Select
            label="Body format"
            value={fields.requestAs}
            onChange={(as) => put({ requestAs: as as PageRequest["as"] })}
            options={[
              { value: "form", label: "a form" },
              { value: "json", label: "JSON" },
            ]}
            error={problems.requestAs}
          />
        )}
      </div>
      {fields.requestMethod === "HEAD" && (
        <p className="text-sm text-muted">Only the status and the headers are compared.</p>
      )}
      {hasBody && (
        <TextArea
          label="Body"
          mono
          rows={3}
          placeholder={fields.requestAs === "json" ? '{ "day": "{{date:yyyy-MM-dd}}" }' : "q=lamps&page=1"}
          hint="{{date:yyyy-MM-dd}} is the day of the check, {{date:yyyy-MM-dd, -1 day}} the day before, here and in the URL."
          value={fields.requestBody}
          onChange={(event) => put({ requestBody: event.target.value })}
          error={problems.requestBody}
          spellCheck={false}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="User agent"
          mono
          placeholder="the browser’s own"
          value={fields.userAgent}
          onChange={(event) => put({ userAgent: event.target.value })}
          error={problems.userAgent}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label="Language"
          mono
          placeholder="en-US"
          value={fields.language}
          onChange={(event) => put({ language: event.target.value })}
          error={problems.language}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </div>
  );
}

export function requestNote({ requestMethod, userAgent, language }: JobFields): string {
  const parts = [requestMethod, userAgent && "own user agent", language].filter(Boolean);
  return parts.join(", ");
}
