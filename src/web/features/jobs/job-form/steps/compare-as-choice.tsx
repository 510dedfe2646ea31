import { ruleKinds } from "#detection/selectors-and-ignore-rules/rule-kinds.ts";
import { Select } from "#web/ui/select.tsx";
import type { JobFields } from "../fields.ts";

type CompareAsChoiceProps = {
  fields: Pick<JobFields, "compareAs">;
  put: (part: Pick<JobFields, "compareAs">) => void;
  inherited?: "page" | "source" | null | undefined;
};

const [page, source] = ruleKinds.compareAs;
const labels = { page: page.means, source: source.means };

/** Whether the page is compared as a reader sees it, or its source. */
export function CompareAsChoice({ fields, put, inherited }: CompareAsChoiceProps) {
  return (
    <Select
      label="What is compared"
      value={fields.compareAs}
      onChange={(value) => put({ compareAs: value as JobFields["compareAs"] })}
      options={[
        { value: "", label: inherited ? `group default: ${labels[inherited]}` : labels.page },
        ...(inherited === "source" ? [{ value: "page", label: labels.page }] : []),
        ...(inherited === "source" ? [] : [{ value: "source", label: labels.source }]),
      ]}
    />
  );
}
