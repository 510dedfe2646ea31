import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { exactTime } from "#web/ui/time/relative-time.ts";
import type { Execution, Job } from "../queries.ts";

const tones: Record<NonNullable<Execution["severity"]>, string> = {
  critical: "bg-danger",
  important: "bg-changed-mark",
  notice: "bg-info",
  info: "bg-edge",
};

/** Returns the classes of an execution's tick. Its height shows a change too, so that color is not the only sign. */
export function tickClasses({ error, changed, severity }: Execution): string {
  if (error) return "h-2.5 bg-removed-mark";
  if (changed) return cx("h-6", tones[severity ?? "info"]);
  return "h-2.5 bg-line-strong";
}

/** The last fifty executions in one row, oldest first; tall ticks are changes. */
export function TickBand({ job }: { job: Job }) {
  if (job.executions.length === 0) return null;
  const changes = job.executions.filter(({ changed }) => changed).length;
  const failures = job.executions.filter(({ error }) => error).length;
  const label = `Last ${countOf(job.executions.length, "execution")}: ${changes} changed, ${failures} failed`;
  return (
    <div title={label} className="flex h-6 items-end gap-[3px]">
      <span className="sr-only">{label}</span>
      {job.executions.toReversed().map((execution) => (
        <span
          key={execution.id}
          title={`#${execution.index} · ${exactTime(Date.parse(execution.createdAt))} · ${execution.error ?? execution.summary}`}
          className={cx("max-w-2 min-w-px flex-1 rounded-[1px]", tickClasses(execution))}
        />
      ))}
    </div>
  );
}
