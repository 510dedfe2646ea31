import type { TellFailures } from "#contract/job.ts";
import { Select } from "#web/ui/select.tsx";
import type { FailureLimit, JobFields, Problems } from "./fields.ts";

const limits: { value: FailureLimit; label: string }[] = [
  { value: "1", label: "at the first failed check" },
  { value: "3", label: "after 3 in a row" },
  { value: "10", label: "after 10 in a row" },
];

type FailuresProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  /** What the job's group says. */
  inherited?: TellFailures | null;
};

/** After how many failed checks their user is told, by what failed. */
export function Failures({ fields, problems, put, inherited = null }: FailuresProps) {
  const isHandedDown = inherited !== null && !fields.failDown && !fields.failGone;
  const usual = (times: number | undefined, label: string) => ({
    value: "",
    label: isHandedDown ? `as the group: ${times === 1 ? "at the first" : `after ${times} in a row`}` : label,
  });
  return (
    <div className="grid gap-3">
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="The site is down"
          value={fields.failDown}
          onChange={(value) => put({ failDown: value as FailureLimit })}
          options={[
            usual(inherited?.down, "after 10 in a row, a bot wall after 3, an error page after 2"),
            ...limits,
          ]}
          error={problems.failDown}
        />
        <Select
          label="The watched part is gone"
          value={fields.failGone}
          onChange={(value) => put({ failGone: value as FailureLimit })}
          options={[
            ...(fields.failGone === "10" ? [] : [usual(inherited?.gone, "after 10 in a row")]),
            // Usual is ten.
            ...limits.filter(({ value }) => value !== "10" || isHandedDown || fields.failGone === "10"),
          ]}
          error={problems.failGone}
        />
      </div>
      <p className="text-sm text-muted">
        Whoever was told is told again when it recovers. After ten failed checks in a row the job is
        interrupted, unless the server still answers, if only with an error page.
      </p>
    </div>
  );
}

export function failuresNote(
  { failDown, failGone }: JobFields,
  inherited: TellFailures | null = null,
): string {
  if (failDown || failGone) return `down: ${failDown || 10}, gone: ${failGone || 10}`;
  return inherited ? `as the group: down ${inherited.down}, gone ${inherited.gone}` : "as usual";
}
