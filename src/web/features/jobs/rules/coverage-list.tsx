import { idleAfterChecks } from "#detection/noise-memory/idle-rules.ts";
import { cx } from "#web/ui/cx.ts";
import { describeCoverage } from "./describe-coverage.ts";
import type { Coverage } from "./source.ts";

type CoverageListProps = {
  label: string;
  entries: string[];
  coverage: Coverage[] | undefined;
  /** Entries that matched nothing at the last checks either. */
  idle?: string[] | undefined;
};

/** Lists each rule with what it covers in the newest capture. */
export function CoverageList({ label, entries, coverage, idle = [] }: CoverageListProps) {
  if (!coverage || entries.length === 0 || entries.length !== coverage.length) return null;
  return (
    <ul aria-label={label} className="grid gap-0.5 text-sm">
      {entries.map((entry, i) => {
        const one = coverage[i] as Coverage;
        const isWrong = "problem" in one;
        const isIdle = !isWrong && one.count === 0;
        return (
          // Rules have no id, so the index is the key.
          <li key={i} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {!isWrong && (
              <code className="max-w-full truncate font-mono text-xs" title={entry}>
                {entry}
              </code>
            )}
            <span
              className={cx(
                "wrap-anywhere",
                isWrong ? "text-removed" : isIdle ? "text-changed" : "text-muted",
              )}
            >
              {describeCoverage(one)}
              {isIdle && idle.includes(entry.trim()) && `, or at the last ${idleAfterChecks} checks`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
