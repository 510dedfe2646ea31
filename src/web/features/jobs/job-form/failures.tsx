import type { TellFailures } from "#contract/job.ts";
import { Select } from "#web/ui/select.tsx";
import type { FailureLimit, JobFields, Problems } from "./fields.ts";

const limits: { value: FailureLimit; label: string }[] = [
  { value: "1", label: "at the first failed check" },
  { value: "2", label: "after 2 in a row" },
  { value: "3", label: "after 3 in a row" },
  { value: "10", label: "after 10 in a row" },
];

type FailuresProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  /** The limits that the job inherits from its group. */
  inherited?: TellFailures | null;
};

/** Selects after how many failed checks the user is alerted, by kind of failure. */
export function Failures({ fields, problems, put, inherited = null }: FailuresProps) {
  const isInherited = inherited !== null && !fields.failDown && !fields.failGone;
  const defaultOption = (times: number | undefined, label: string) => ({
    value: "",
    label: isInherited ? `group default: ${times === 1 ? "at the first" : `after ${times} in a row`}` : label,
  });
  return (
    <div className="grid gap-3">
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="When the site is down"
          value={fields.failDown}
          onChange={(value) => put({ failDown: value as FailureLimit })}
          options={[
            ...(fields.failDown === "2" ? [] : [defaultOption(inherited?.down, "after 2 in a row")]),
            // Two is the default already, so it is listed only if the default is inherited or two is selected.
            ...limits.filter(({ value }) => value !== "2" || isInherited || fields.failDown === "2"),
          ]}
          error={problems.failDown}
        />
        <Select
          label="When the watched part is missing"
          value={fields.failGone}
          onChange={(value) => put({ failGone: value as FailureLimit })}
          options={[
            ...(fields.failGone === "2" ? [] : [defaultOption(inherited?.gone, "after 2 in a row")]),
            ...limits.filter(({ value }) => value !== "2" || isInherited || fields.failGone === "2"),
          ]}
          error={problems.failGone}
        />
      </div>
      <p className="text-sm text-muted">
        You’re also notified on recovery. After ten failed checks in a row and a day without any answer, the
        job is interrupted; error pages don’t interrupt it.
      </p>
    </div>
  );
}

export function failuresNote(
  { failDown, failGone }: JobFields,
  inherited: TellFailures | null = null,
): string {
  if (failDown || failGone) return `down: ${failDown || 2}, gone: ${failGone || 2}`;
  return inherited ? `group default: down ${inherited.down}, gone ${inherited.gone}` : "default";
}
