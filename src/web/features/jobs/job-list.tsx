import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";
import { severityEdge } from "#web/ui/severity.tsx";
import { Time } from "#web/ui/time.tsx";
import { lastResult } from "./last-result.ts";
import type { Job } from "./queries.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useActivity } from "./use-live-jobs.ts";

const rowHeight = 56;

type JobListProps = { jobs: Job[]; selected: string | undefined; onSelect: (jobId: string) => void };

/** The group's jobs; arrow keys walk them, only the rows in sight are drawn. */
export function JobList({ jobs, selected, onSelect }: JobListProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  // No compiler memoises this file, so the functions it returns are never stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const at = jobs.findIndex(({ id }) => id === selected);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (at < 0) return;
    virtualizer.scrollToIndex(at, { align: "auto" });
    if (!list.current?.contains(document.activeElement)) return;
    // The row may only be drawn after the scroll.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-current]")?.focus());
  }, [at, virtualizer]);

  function walk(event: KeyboardEvent) {
    const last = jobs.length - 1;
    const to = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[
      event.key
    ];
    const job = to === undefined ? undefined : jobs[to];
    if (!job) return;
    event.preventDefault();
    onSelect(job.id);
  }

  return (
    <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto">
      <ul
        ref={list}
        aria-label="Jobs of this group"
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const job = jobs[item.index];
          const isSelected = job?.id === selected;
          return (
            job && (
              <li
                key={job.id}
                className="absolute inset-x-0"
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                <button
                  type="button"
                  // One stop for the whole list, as the arrow keys go on from there.
                  tabIndex={isSelected || (at < 0 && item.index === 0) ? 0 : -1}
                  aria-current={isSelected ? "true" : undefined}
                  onClick={() => onSelect(job.id)}
                  onKeyDown={walk}
                  className="h-full w-full text-start -outline-offset-2"
                >
                  <JobRow job={job} selected={isSelected} />
                </button>
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** Drawn again when its job changes, not whenever the list scrolls. */
const JobRow = memo(function JobRow({ job, selected }: { job: Job; selected: boolean }) {
  const [newest] = job.executions;
  const activity = useActivity(job.id) ?? (job.activity === "idle" ? null : job.activity);
  const severity = newest?.changed ? (newest.severity ?? "info") : null;
  return (
    <div
      className={cx(
        "grid h-full content-center gap-0.5 border-b border-line pe-3 ps-2.5 transition-colors",
        severity
          ? severityEdge(severity)
          : newest?.error
            ? "border-s-2 border-s-danger"
            : "border-s-2 border-s-transparent",
        selected ? "bg-accent-bg" : "hover:bg-hover",
      )}
    >
      <div className="flex min-w-0 items-center gap-2">
        <StatusBadge status={job.status} small />
        <span className="min-w-0 flex-1 truncate font-medium" title={job.name}>
          {job.name}
        </span>
        {activity ? (
          <span className="flex items-center gap-1 text-xs text-accent-text">
            <Icon name="refresh" className="size-3 animate-work" />
            Checking
          </span>
        ) : (
          newest && <Time at={newest.createdAt} className="figures text-xs whitespace-nowrap text-muted" />
        )}
      </div>
      <span
        title={lastResult(newest)}
        className={cx(
          "truncate ps-5 text-sm",
          newest?.error ? "text-removed" : newest?.changed ? "text-ink" : "text-muted",
        )}
      >
        {lastResult(newest)}
      </span>
    </div>
  );
});
