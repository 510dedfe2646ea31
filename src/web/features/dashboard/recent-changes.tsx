import { Link } from "react-router";
import { thumbnail } from "#web/api/images.ts";
import { Card } from "#web/ui/card.tsx";
import { cx } from "#web/ui/cx.ts";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Empty } from "#web/ui/states.tsx";
import { Thumbnail } from "#web/ui/thumbnail.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import type { Resume } from "./resume.ts";

/** Recent changes, newest first: screenshot, summary, severity and time. */
export function RecentChanges({ resume }: { resume: Resume }) {
  return (
    <Card title="Recent changes">
      {resume.recent_changes.length === 0 && (
        <Empty icon="image" title="Nothing has changed yet">
          A change appears here as soon as a check finds one.
        </Empty>
      )}
      <ul className="divide-y divide-line">
        {resume.recent_changes.map((change) => (
          <li key={change.id} className={cx("animate-rise", severityEdge(change.severity ?? "info"))}>
            <Link
              to={jobUrl({ jobId: change.jobId, groupId: change.job.groupId, executionId: change.id })}
              className="flex items-center gap-3 py-2.5 ps-3.5 pe-4 -outline-offset-2 transition-colors hover:bg-hover"
            >
              <Thumbnail
                src={change.hasImage ? thumbnail(change.jobId, change.id) : undefined}
                lazy
                className="h-10 w-14 shrink-0 rounded-sm border border-line bg-sunken"
              />
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium" title={change.summary}>
                  {change.summary}
                </p>
                <p className="flex min-w-0 items-baseline gap-2 text-sm text-muted">
                  <SeverityWord severity={change.severity ?? "info"} />
                  <span className="truncate" title={change.job.name}>
                    {change.job.name}
                  </span>
                </p>
              </div>
              <Time at={change.createdAt} className="figures text-sm whitespace-nowrap text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
