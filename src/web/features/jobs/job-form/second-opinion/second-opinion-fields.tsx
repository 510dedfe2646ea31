import type { OpinionUse, SecondOpinion } from "#contract/second-opinion.ts";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { JobFields, Problems } from "../fields.ts";

type SecondOpinionFieldsProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  /** What the job inherits from its group, part by part. */
  inherited?: SecondOpinion | null | undefined;
};

const uses = {
  off: "Don’t ask the model",
  summary: "Add its sentence to alerts",
  lower: "Add its sentence, and move unimportant alerts to the daily digest",
} as const satisfies Record<OpinionUse, string>;

const shortUses = { off: "off", summary: "sentences", lower: "may move alerts to the digest" } as const;

/** Edits what a language model is used for, and what it is told that matters. */
export function SecondOpinionFields({ fields, problems, put, inherited }: SecondOpinionFieldsProps) {
  const unset = inherited?.use ? `Group default: ${uses[inherited.use]}` : uses.off;
  return (
    <div className="grid grid-cols-1 gap-4">
      <Select
        label="What the model is used for"
        value={fields.opinionUse}
        onChange={(value) => put({ opinionUse: value as JobFields["opinionUse"] })}
        options={[
          { value: "", label: unset },
          ...(Object.keys(uses) as OpinionUse[])
            .filter((use) => use !== "off" || inherited?.use !== undefined)
            .map((use) => ({ value: use, label: uses[use] })),
        ]}
      />
      <TextArea
        label="What matters to you"
        rows={2}
        placeholder={inherited?.matters ?? "Tell me if prices or refund terms change."}
        hint="In your own words. The model gets them with the text that changed, and nothing else of the page."
        value={fields.opinionMatters}
        onChange={(event) => put({ opinionMatters: event.target.value })}
        error={problems.opinionMatters}
      />
      <p className="text-sm text-muted">
        Security findings, conditions, numbers, text lookups, and important or critical changes are always
        sent at once. The model is set up in your profile, under “Second opinion”.
      </p>
    </div>
  );
}

export function secondOpinionNote(
  { opinionUse }: Pick<JobFields, "opinionUse">,
  inherited?: SecondOpinion | null,
): string {
  if (opinionUse) return shortUses[opinionUse];
  return inherited?.use ? `group default: ${shortUses[inherited.use]}` : "off";
}
