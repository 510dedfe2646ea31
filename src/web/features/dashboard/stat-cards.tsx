import type { ReactNode } from "react";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { cutName } from "./cut-name.ts";
import type { Resume } from "./resume.ts";

const number = new Intl.NumberFormat();

/** Six numbers: groups, jobs, executions, the busiest, the failed, the newest. */
export function StatCards({ resume }: { resume: Resume | undefined }) {
  const most = resume?.most_executions;
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-6">
      <Stat label="Total groups created" value={resume && number.format(resume.total_groups)} />
      <Stat label="Total jobs created" value={resume && number.format(resume.total_jobs)} />
      <Stat label="Total executions made" value={resume && number.format(resume.total_executions)} />
      <Stat
        label="Most executed"
        value={resume && (most ? most.job_name : "None yet")}
        note={most && countOf(most.executions, "execution")}
        isWords
      />
      <Stat
        label="Failed jobs"
        value={resume && number.format(resume.total_failed)}
        note={resume && resume.total_failed > 0 && "last check failed"}
        isBad={resume && resume.total_failed > 0}
      />
      <Stat
        label="Latest job name"
        value={resume && (resume.last_job ? cutName(resume.last_job) : "None yet")}
        title={resume?.last_job ?? undefined}
        isWords
      />
    </dl>
  );
}

type StatProps = {
  label: string;
  value: string | undefined;
  note?: ReactNode;
  title?: string;
  isWords?: boolean;
  isBad?: boolean;
};

function Stat({ label, value, note, title, isWords, isBad }: StatProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-card border border-line bg-surface px-3 py-3">
      <dt className="text-xs text-muted">{label}</dt>
      {value === undefined ? (
        <dd>
          <Skeleton className="h-7 w-16" />
        </dd>
      ) : (
        <dd
          title={title ?? (isWords ? value : undefined)}
          className={cx(
            "figures font-semibold",
            isWords ? "line-clamp-2 text-base" : "text-xl",
            isBad && "text-removed",
          )}
        >
          {value}
        </dd>
      )}
      {note && <dd className="figures text-xs text-muted">{note}</dd>}
    </div>
  );
}
