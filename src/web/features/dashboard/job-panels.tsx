import { Link } from "react-router";
import { Card } from "#web/ui/card.tsx";
import { cx } from "#web/ui/cx.ts";
import { jobAddress } from "#web/ui/job-address.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time.tsx";
import type { Resume } from "./resume.ts";

const row = "-outline-offset-2 transition-colors hover:bg-hover";

/** Which jobs run next. */
export function NextExecutions({ resume }: { resume: Resume | undefined }) {
  return (
    <Card title="Next executions">
      {!resume && <Skeleton className="m-4 h-20" />}
      {resume?.next_checks.length === 0 && (
        <p className="px-4 py-3 text-sm text-muted">
          No check is due. Paused and disabled jobs wait for you.
        </p>
      )}
      <ul className="divide-y divide-line">
        {resume?.next_checks.map((job) => (
          <li key={job.id}>
            <Link
              to={jobAddress({ jobId: job.id, groupId: job.groupId })}
              className={cx(row, "flex items-baseline justify-between gap-4 px-4 py-2")}
            >
              <span className="min-w-0 truncate" title={job.name}>
                {job.name}
              </span>
              <Time at={job.nextRunAt} className="figures text-sm whitespace-nowrap text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Which jobs cannot be checked, and why. */
export function FailingJobs({ resume }: { resume: Resume | undefined }) {
  return (
    <Card title="Failing jobs">
      {!resume && <Skeleton className="m-4 h-20" />}
      {resume?.failing_jobs.length === 0 && (
        <p className="px-4 py-3 text-sm text-muted">No job is failing.</p>
      )}
      <ul className="divide-y divide-line">
        {resume?.failing_jobs.map((job) => (
          <li key={job.id} className="border-s-2 border-s-danger">
            <Link
              to={jobAddress({ jobId: job.id, groupId: job.groupId })}
              className={cx(row, "grid grid-cols-[minmax(0,1fr)] gap-0.5 px-3.5 py-2")}
            >
              <span className="flex items-baseline justify-between gap-4">
                <span className="min-w-0 truncate font-medium" title={job.name}>
                  {job.name}
                </span>
                <span className="figures text-sm whitespace-nowrap text-removed">
                  {job.failures === 1 ? "failed once" : `failed ${job.failures} times`}
                </span>
              </span>
              {job.error && (
                <span className="line-clamp-2 text-sm text-muted" title={job.error}>
                  {job.error}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
