import { NamedValueList } from "#web/ui/named-value-list.tsx";
import { RequestFields } from "../request-fields.tsx";
import type { SectionProps } from "./section-props.ts";

/** How the page is requested. */
export function RequestSection({ fields, problems, put, inherited }: SectionProps) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <RequestFields fields={fields} problems={problems} put={put} />
      <div className="grid gap-2">
        <NamedValueList
          label="Request headers"
          noun="header"
          addLabel="Add Header"
          values={fields.headers}
          onChange={(headers) => put({ headers })}
          error={problems.headers}
        />
        {inherited && inherited.headers.length > 0 && (
          <p className="text-sm text-muted">
            From the group also: {inherited.headers.map(({ name }) => name).join(", ")}. The headers above
            take precedence.
          </p>
        )}
      </div>
    </div>
  );
}
