import type { ReactNode } from "react";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { cutName } from "./cut-name.ts";
import type { Resume } from "./resume.ts";

const number = new Intl.NumberFormat();

/** Six figures: groups, jobs, executions, the busiest job, failed jobs and the newest job. */
export function StatCards({ resume }: { resume: Resume }) {
  const busiest = resume.most_executions;
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-6">
      <Stat label="Total groups created" value={number.format(resume.total_groups)} />
      <Stat label="Total jobs created" value={number.format(resume.total_jobs)} />
      <Stat label="Total executions made" value={number.format(resume.total_executions)} />
      <Stat
        label="Most executed"
        value={busiest ? busiest.job_name : "None yet"}
        note={busiest && countOf(busiest.executions, "execution")}
        isWords
      />
      <Stat
        label="Failed jobs"
        value={number.format(resume.total_failed)}
        note={resume.total_failed > 0 && "last check failed"}
        isBad={resume.total_failed > 0}
      />
      <Stat
        label="Latest job name"
        value={resume.last_job ? cutName(resume.last_job) : "None yet"}
        title={resume.last_job ?? undefined}
        isWords
      />
    </dl>
  );
}

type StatProps = {
  label: string;
  value: string;
  note?: ReactNode;
  title?: string;
  isWords?: boolean;
  isBad?: boolean;
};

function Stat({ label, value, note, title, isWords, isBad }: StatProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-card border border-line bg-surface px-3 py-3">
      <dt className="text-xs text-muted">{label}</dt>
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
      {note && <dd className="figures text-xs text-muted">{note}</dd>}
    </div>
  );
}
