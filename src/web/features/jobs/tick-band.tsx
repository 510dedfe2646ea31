import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { exactTime } from "#web/ui/relative-time.ts";
import type { Execution, Job } from "./queries.ts";

const tones: Record<NonNullable<Execution["severity"]>, string> = {
  critical: "bg-danger",
  important: "bg-changed-mark",
  notice: "bg-info",
  info: "bg-edge",
};

/** How an execution is drawn where there is room for one colour: its height says it too. */
export function tickLook({ error, changed, severity }: Execution): string {
  if (error) return "h-2.5 bg-removed-mark";
  if (changed) return cx("h-6", tones[severity ?? "info"]);
  return "h-2.5 bg-line-strong";
}

/** The last fifty executions in one line, oldest first: tall is a change, short is not. */
export function TickBand({ job }: { job: Job }) {
  if (job.executions.length === 0) return null;
  const changes = job.executions.filter(({ changed }) => changed).length;
  const failures = job.executions.filter(({ error }) => error).length;
  const words = `Last ${countOf(job.executions.length, "execution")}: ${changes} changed, ${failures} failed`;
  return (
    <div title={words} className="flex h-6 items-end gap-[3px]">
      <span className="sr-only">{words}</span>
      {job.executions.toReversed().map((execution) => (
        <span
          key={execution.id}
          title={`#${execution.index} · ${exactTime(Date.parse(execution.createdAt))} · ${execution.error ?? execution.summary}`}
          className={cx("max-w-2 min-w-px flex-1 rounded-[1px]", tickLook(execution))}
        />
      ))}
    </div>
  );
}
