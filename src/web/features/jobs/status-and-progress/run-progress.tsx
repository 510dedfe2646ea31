import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { Activity } from "./use-live-jobs.ts";

const steps = [
  { id: "queued", label: "Queued" },
  { id: "capturing", label: "Capturing" },
  { id: "comparing", label: "Comparing" },
  { id: "confirming", label: "Confirming" },
  { id: "storing", label: "Storing" },
] as const;

/** The progress of a check. There is a confirmation only if the first capture differs from the baseline. */
export function RunProgress({ activity }: { activity: NonNullable<Activity> | "running" }) {
  const stage = activity === "started" || activity === "running" ? "capturing" : activity;
  const at = steps.findIndex(({ id }) => id === stage);
  return (
    <output className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span className="sr-only">Checking now: {steps[at]?.label}</span>
      {steps
        .filter(({ id }) => id !== "confirming" || stage === "confirming")
        .map(({ id, label }, i) => {
          const position = steps.findIndex((step) => step.id === id);
          return (
            <span
              key={id}
              aria-hidden="true"
              className={cx(
                "flex items-center gap-1.5",
                position === at ? "font-medium text-accent-text" : position < at ? "text-ink" : "text-quiet",
              )}
            >
              {i > 0 && (
                <span className={cx("h-px w-4", position <= at ? "bg-accent-text" : "bg-line-strong")} />
              )}
              {position === at ? (
                <Icon name="refresh" className="size-3.5 animate-work" />
              ) : (
                position < at && <Icon name="check" className="size-3.5" />
              )}
              {label}
            </span>
          );
        })}
    </output>
  );
}
