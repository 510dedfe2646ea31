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

/** How far a check is. The second look is only taken when the first one saw a change. */
export function RunProgress({ activity }: { activity: NonNullable<Activity> | "running" }) {
  const stage = activity === "started" || activity === "running" ? "capturing" : activity;
  const at = steps.findIndex(({ id }) => id === stage);
  return (
    <output className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span className="sr-only">Check under way: {steps[at]?.label}</span>
      {steps
        .filter(({ id }) => id !== "confirming" || stage === "confirming")
        .map(({ id, label }, i) => {
          const place = steps.findIndex((step) => step.id === id);
          return (
            <span
              key={id}
              aria-hidden="true"
              className={cx(
                "flex items-center gap-1.5",
                place === at ? "font-medium text-accent-text" : place < at ? "text-ink" : "text-quiet",
              )}
            >
              {i > 0 && (
                <span className={cx("h-px w-4", place <= at ? "bg-accent-text" : "bg-line-strong")} />
              )}
              {place === at ? (
                <Icon name="refresh" className="size-3.5 animate-work" />
              ) : (
                place < at && <Icon name="check" className="size-3.5" />
              )}
              {label}
            </span>
          );
        })}
    </output>
  );
}
