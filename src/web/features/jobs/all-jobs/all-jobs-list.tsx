import { memo, type Ref, useImperativeHandle } from "react";
import { Link } from "react-router";
import type { JobLine } from "#contract/change.ts";
import { cx } from "#web/ui/cx.ts";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import { StatusBadge } from "../status-and-progress/status-badge.tsx";
import { useRows } from "../use-rows.ts";

export type AllJobsListHandle = { enter: () => void };

/** One row per job; arrow keys move, Enter opens. Only visible rows are rendered. */
export function AllJobsList({ jobs, ref }: { jobs: JobLine[]; ref: Ref<AllJobsListHandle> }) {
  const { virtualizer, setScroller, focusRowAt, isNarrow, rowProps } = useRows({
    ids: jobs.map(({ id }) => id),
    rowHeight: 60,
    narrow: { below: 640, rowHeight: 84 },
    overscan: 8,
  });
  useImperativeHandle(ref, () => ({ enter: () => focusRowAt(0) }));
  return (
    <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto">
      <ul aria-label="Jobs" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const job = jobs[item.index];
          return (
            job && (
              <li
                key={job.id}
                className="absolute inset-x-0"
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                <Link
                  {...rowProps(item.index)}
                  to={jobUrl({ jobId: job.id, groupId: job.groupId })}
                  className="block h-full -outline-offset-2"
                >
                  <Row job={job} isNarrow={isNarrow} />
                </Link>
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** Memoized, so that scrolling doesn't render a row again. */
const Row = memo(function Row({ job, isNarrow }: { job: JobLine; isNarrow: boolean }) {
  const { lastChange } = job;
  const time = lastChange?.at ?? job.lastCheckAt;
  return (
    <div
      className={cx(
        "grid h-full content-center gap-x-4 gap-y-0.5 border-b border-line ps-3.5 pe-4 transition-colors hover:bg-hover",
        isNarrow ? "grid-cols-[minmax(0,1fr)]" : "grid-cols-[minmax(0,5fr)_minmax(0,6fr)_7.5rem]",
        job.failing
          ? "border-s-2 border-s-danger"
          : lastChange
            ? severityEdge(lastChange.severity)
            : "border-s-2 border-s-transparent",
      )}
    >
      <span className="grid min-w-0 gap-0.5">
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="min-w-0 truncate font-medium" title={job.name}>
            {job.name}
          </span>
          {job.tags.slice(0, 3).map((tag) => (
            <span
              key={tag}
              className="max-w-32 shrink-0 truncate rounded-sm bg-fill px-1.5 text-xs text-muted"
              title={tag}
            >
              {tag}
            </span>
          ))}
          {isNarrow && time && (
            <Time at={time} className="figures ms-auto text-xs whitespace-nowrap text-muted" />
          )}
        </span>
        <span className="min-w-0 truncate text-sm text-muted" title={`${job.group} · ${job.url}`}>
          {job.group} · {job.url.replace(/^https?:\/\//i, "")}
        </span>
      </span>
      <span className="flex min-w-0 items-center gap-2 text-sm">
        {job.failing ? (
          <>
            <span className="text-xs font-medium text-removed">Failing</span>
            <span className="min-w-0 truncate text-removed" title={job.error ?? undefined}>
              {job.error ?? "The last check failed."}
            </span>
          </>
        ) : lastChange ? (
          <>
            <SeverityWord severity={lastChange.severity} />
            <span className="min-w-0 truncate" title={lastChange.summary}>
              {lastChange.summary}
            </span>
          </>
        ) : (
          <span className="text-muted">
            {job.lastCheckAt ? "No changes yet" : "Waiting for the first check"}
          </span>
        )}
        {isNarrow && job.status !== "ACTIVE" && (
          <span className="ms-auto">
            <StatusBadge status={job.status} />
          </span>
        )}
      </span>
      {!isNarrow && (
        <span className="grid min-w-0 justify-items-end gap-0.5 self-center">
          {time && <Time at={time} className="figures text-xs whitespace-nowrap text-muted" />}
          <StatusBadge status={job.status} />
        </span>
      )}
    </div>
  );
});
