import { Link } from "react-router";
import { useMarkNotificationsRead } from "#web/api/notifications.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { NotificationRow } from "#web/ui/notification-row.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import type { Resume } from "./resume.ts";

const maxRows = 8;

/** What the user should look at first: critical changes, failing jobs, then the other unread changes. */
export function NeedsAttention({ resume }: { resume: Resume }) {
  const markRead = useMarkNotificationsRead();
  const changeRow = (entry: Resume["unread_changes"][number]) => (
    <NotificationRow key={entry.id} entry={entry} onRead={(id) => markRead.mutate([id])} />
  );
  const isCritical = ({ severity }: { severity: string }) => severity === "critical";
  const rows = [
    ...resume.unread_changes.filter(isCritical).map(changeRow),
    ...resume.failing_jobs.map((job) => <FailingJob key={job.id} job={job} />),
    ...resume.unread_changes.filter((entry) => !isCritical(entry)).map(changeRow),
  ];
  if (rows.length === 0)
    return (
      <Card title="Needs your attention">
        <p className="flex items-center gap-2 px-4 py-3 text-sm text-muted">
          <Icon name="check" className="text-added" />
          You’re all caught up: no job is failing, and you’ve seen every change.
        </p>
      </Card>
    );
  return (
    <Card title="Needs your attention">
      <ul className="divide-y divide-line">
        {rows.slice(0, maxRows).map((row) => (
          <li key={row.key}>{row}</li>
        ))}
      </ul>
      {rows.length > maxRows && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          There’s more in Notifications and in your list of jobs.
        </p>
      )}
    </Card>
  );
}

function FailingJob({ job }: { job: Resume["failing_jobs"][number] }) {
  return (
    <Link
      to={jobUrl({ jobId: job.id, groupId: job.groupId })}
      className="grid grid-cols-[minmax(0,1fr)] gap-0.5 border-s-2 border-s-danger py-2.5 ps-3.5 pe-4 -outline-offset-2 transition-colors hover:bg-hover"
    >
      <span className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 truncate font-medium" title={job.name}>
          {job.name}
        </span>
        <span className="figures text-xs whitespace-nowrap text-removed">
          {job.failures === 1 ? "failed once" : `failed ${job.failures} times in a row`}
        </span>
      </span>
      <span className="flex items-baseline gap-2 text-sm text-muted">
        <span className="text-xs font-medium whitespace-nowrap text-removed">Failing</span>
        <span className="min-w-0 truncate" title={job.error ?? undefined}>
          {job.error ?? "The last check failed."}
        </span>
      </span>
    </Link>
  );
}
