import { memo, type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";
import { severityEdge } from "#web/ui/severity.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { lastResult } from "../execution-list/last-result.ts";
import type { Job } from "../queries.ts";
import { StatusBadge } from "../status-and-progress/status-badge.tsx";
import { useActivity } from "../status-and-progress/use-live-jobs.ts";
import { useRows } from "../use-rows.ts";

const rowHeight = 56;

type JobListProps = {
  jobs: Job[];
  selected: string | undefined;
  /** Whether the list is shown next to the selected job: then moving through the list selects jobs. */
  isSideBySide: boolean;
  onSelect: (jobId: string) => void;
  /** The jobs ticked for bulk actions, if that mode is on; X toggles the focused job. */
  chosen?: ReadonlySet<string> | undefined;
  onChoose?: (jobId: string) => void;
  ref: Ref<JobListHandle>;
};

export type JobListHandle = { enter: () => void };

/** The group's jobs. Arrow keys move through them; only visible rows are rendered. */
export function JobList({ jobs, selected, isSideBySide, onSelect, chosen, onChoose, ref }: JobListProps) {
  const { virtualizer, setScroller, focusRowAt, focusRow, rowProps } = useRows({
    ids: jobs.map(({ id }) => id),
    rowHeight,
    overscan: 10,
    selected,
    onKeyboardMove: isSideBySide ? onSelect : undefined,
  });
  useImperativeHandle(ref, () => ({ enter: () => focusRowAt(0) }));
  const at = jobs.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: "auto" });
  }, [at, virtualizer]);

  const lastSelected = useRef(selected);
  useEffect(() => {
    const previous = lastSelected.current;
    lastSelected.current = selected;
    // The user came back from a job that was shown instead of the list.
    if (previous && !selected && document.activeElement === document.body) focusRow(previous);
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
                      aria-label={`Select ${job.name}`}
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

/** Memoized, so that it renders again when its job changes, not whenever the list scrolls. */
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
