import { Link } from "react-router";
import { identitiesPath, incidentPath } from "#contract/links.ts";
import { cx } from "./cx.ts";
import { type Severity, SeverityWord, severityEdge } from "./severity.tsx";
import { Time } from "./time/time.tsx";
import { jobUrl } from "./urls/job-url.ts";

type Entry = {
  id: string;
  kind: string;
  jobId: string | null;
  executionId: string | null;
  incidentId: string | null;
  severity: Severity;
  title: string;
  message: string;
  createdAt: string;
  read: boolean;
};
type NotificationRowProps = { entry: Entry; onRead: (id: string) => void; onFollow?: () => void };

/** One notification: a click opens what it is about, if that has a page, and marks it as read. */
export function NotificationRow({ entry, onRead, onFollow }: NotificationRowProps) {
  const body = (
    <>
      <span className="flex items-baseline gap-2">
        <span
          className={cx("min-w-0 flex-1 truncate", entry.read ? "text-muted" : "font-medium")}
          title={entry.title}
        >
          {entry.title}
        </span>
        <Time at={entry.createdAt} className="figures text-xs whitespace-nowrap text-muted" />
      </span>
      <span className="flex items-baseline gap-2 text-sm text-muted">
        <SeverityWord severity={entry.severity} />
        <span className="min-w-0 flex-1 truncate" title={entry.message}>
          {entry.message}
        </span>
        {!entry.read && (
          <span className="mt-1.5 size-2 shrink-0 self-start rounded-full bg-accent">
            <span className="sr-only">unread</span>
          </span>
        )}
      </span>
    </>
  );
  const shape = cx(
    "grid w-full grid-cols-1 gap-0.5 py-2.5 ps-3.5 pe-4 text-start",
    severityEdge(entry.severity),
  );
  const read = () => {
    if (!entry.read) onRead(entry.id);
  };
  const target = entry.jobId
    ? jobUrl({ jobId: entry.jobId, executionId: entry.executionId })
    : entry.kind === "signed-out"
      ? identitiesPath
      : entry.incidentId && incidentPath(entry.incidentId);
  if (target) {
    const follow = () => {
      read();
      onFollow?.();
    };
    return (
      <Link
        to={target}
        onClick={follow}
        className={cx(shape, "-outline-offset-2 transition-colors hover:bg-hover")}
      >
        {body}
      </Link>
    );
  }
  if (entry.read) return <div className={shape}>{body}</div>;
  return (
    <button
      type="button"
      title="Mark as read"
      onClick={read}
      className={cx(shape, "-outline-offset-2 transition-colors hover:bg-hover")}
    >
      {body}
    </button>
  );
}
