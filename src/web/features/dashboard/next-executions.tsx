import { Link } from "react-router";
import { Card } from "#web/ui/card.tsx";
import { cx } from "#web/ui/cx.ts";
import { Time } from "#web/ui/time/time.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import type { Resume } from "./resume.ts";

const row = "-outline-offset-2 transition-colors hover:bg-hover";

/** Which jobs run next. */
export function NextExecutions({ resume }: { resume: Resume }) {
  return (
    <Card title="Next executions">
      {resume.next_checks.length === 0 && (
        <p className="px-4 py-3 text-sm text-muted">
          No checks are planned. Paused and disabled jobs wait until you activate them.
        </p>
      )}
      <ul className="divide-y divide-line">
        {resume.next_checks.map((job) => (
          <li key={job.id}>
            <Link
              to={jobUrl({ jobId: job.id, groupId: job.groupId })}
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
