import { memo, type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";
import { severityEdge } from "#web/ui/severity.tsx";
import { Time } from "#web/ui/time.tsx";
import { lastResult } from "./last-result.ts";
import type { Job } from "./queries.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useActivity } from "./use-live-jobs.ts";
import { useRows } from "./use-rows.ts";

const rowHeight = 56;

type JobListProps = {
  jobs: Job[];
  selected: string | undefined;
  /** Beside the job it selects, the list is walked by selecting. */
  isBeside: boolean;
  onSelect: (jobId: string) => void;
  /** While many are chosen, which are; X chooses the one that has the focus. */
  chosen?: ReadonlySet<string> | undefined;
  onChoose?: (jobId: string) => void;
  ref: Ref<JobListHandle>;
};

export type JobListHandle = { enter: () => void };

/** The group's jobs; arrow keys walk them, only the rows in sight are drawn. */
export function JobList({ jobs, selected, isBeside, onSelect, chosen, onChoose, ref }: JobListProps) {
  const { virtualizer, setScroller, walkTo, focusRow, rowProps } = useRows({
    ids: jobs.map(({ id }) => id),
    rowHeight,
    overscan: 10,
    selected,
    onWalk: isBeside ? onSelect : undefined,
  });
  useImperativeHandle(ref, () => ({ enter: () => walkTo(0) }));
  const at = jobs.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: "auto" });
  }, [at, virtualizer]);

  const opened = useRef(selected);
  useEffect(() => {
    const before = opened.current;
    opened.current = selected;
    // Back from a job that stood in the list's place.
    if (before && !selected && document.activeElement === document.body) focusRow(before);
  });

  return (
    <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto">
      <ul aria-label="Jobs of this group" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const job = jobs[item.index];
          const isSelected = job?.id === selected;
          return (
            job && (
              <li
                key={job.id}
                className={cx("absolute inset-x-0", chosen && "flex items-center")}
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                {chosen && (
                  <span className="grid size-9 shrink-0 place-items-center">
                    <input
                      type="checkbox"
                      aria-label={`Choose ${job.name}`}
                      checked={chosen.has(job.id)}
                      onChange={() => onChoose?.(job.id)}
                      className="size-4 accent-accent-text"
                    />
                  </span>
                )}
                <button
                  type="button"
                  {...rowProps(item.index)}
                  onKeyDown={(event) => {
                    if (chosen && event.key.toLowerCase() === "x" && !event.ctrlKey && !event.metaKey)
                      onChoose?.(job.id);
                    else rowProps(item.index).onKeyDown(event);
                  }}
                  aria-current={isSelected ? "true" : undefined}
                  onClick={() => onSelect(job.id)}
                  className="h-full w-full min-w-0 text-start -outline-offset-2"
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
      <div className="flex min-w-0 items-center gap-2">
        <StatusBadge status={job.status} />
        <span
          title={lastResult(newest)}
          className={cx(
            "min-w-0 flex-1 truncate text-sm",
            newest?.error ? "text-removed" : newest?.changed ? "text-ink" : "text-muted",
          )}
        >
          {lastResult(newest)}
        </span>
      </div>
    </div>
  );
});
