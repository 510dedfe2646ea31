import { Link } from "react-router";
import { cx } from "#web/ui/cx.ts";
import { jobAddress } from "#web/ui/job-address.ts";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Time } from "#web/ui/time.tsx";
import type { Entry } from "./feed.ts";

type EntryRowProps = { entry: Entry; onRead: (id: string) => void; onFollow: () => void };

/** One entry: leads to what it tells of, and is read from then on. */
export function EntryRow({ entry, onRead, onFollow }: EntryRowProps) {
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
  if (entry.jobId) {
    const follow = () => {
      read();
      onFollow();
    };
    return (
      <Link
        to={jobAddress({ jobId: entry.jobId, executionId: entry.executionId })}
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
