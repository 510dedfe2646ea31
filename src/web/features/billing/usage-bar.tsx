import { useId } from "react";
import { cx } from "#web/ui/cx.ts";
import { formatBytes } from "#web/ui/format-bytes.ts";
import type { BillingState } from "./use-billing.ts";

const labels = { groups: "Groups", jobs: "Jobs", triggers: "HTTP triggers", storage: "Storage" };

/** How much of one limit is used. */
export function UsageBar({ name, used, limit }: BillingState["usage"][number]) {
  const id = useId();
  const format = name === "storage" ? formatBytes : String;
  const isOver = limit !== null && used > limit;
  const usage = limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <span id={id}>{labels[name]}</span>
        <span className={cx("figures text-sm", isOver ? "text-changed" : "text-muted")}>
          {usage}
          {isOver && ", kept from a larger plan"}
        </span>
      </div>
      {limit !== null && (
        <div
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={usage}
          className="h-1.5 overflow-hidden rounded-full bg-fill"
        >
          <div
            style={{ width: `${Math.min(1, used / limit) * 100}%` }}
            className={cx(
              "h-full rounded-full",
              isOver ? "bg-changed-mark" : "bg-accent",
              used > 0 && "min-w-1.5",
            )}
          />
        </div>
      )}
    </div>
  );
}
