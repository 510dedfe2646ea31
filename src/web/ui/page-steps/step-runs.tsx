import type { StepRun } from "#contract/page-steps.ts";
import { cx } from "../cx.ts";
import { Icon } from "../icon.tsx";

type StepRunsProps = {
  runs: StepRun[];
  /** The URL of the picture of a step, by its number from 1. */
  imageOf: (step: number) => string;
  /** Whether the pictures are shown without opening each step. */
  showsPictures?: boolean;
};

const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

/** What each step did: its time, URL, selector and picture, or why it failed. */
export function StepRuns({ runs, imageOf, showsPictures = false }: StepRunsProps) {
  return (
    <ol className="grid min-w-0 gap-2">
      {runs.map((run, at) => (
        <li key={at} className="min-w-0 rounded-control border border-line">
          <details open={run.error !== null || showsPictures}>
            <summary className="flex cursor-pointer items-baseline gap-2 px-3 py-2 text-sm">
              <Icon
                name={run.error === null ? "check" : "close"}
                className={cx("shrink-0 self-center", run.error === null ? "text-muted" : "text-removed")}
              />
              <span className="min-w-0 flex-1 wrap-anywhere">
                {at + 1}. {run.text}
              </span>
              <span className="figures shrink-0 text-muted">{seconds(run.ms)}</span>
            </summary>
            <div className="grid min-w-0 gap-1.5 px-3 pb-3 text-sm">
              {run.error && <p className="text-removed">{run.error}</p>}
              {run.note && <p className="text-changed">{run.note}</p>}
              {run.selector && (
                <p className="min-w-0 text-muted wrap-anywhere">
                  Found by <code className="font-mono text-xs">{run.selector}</code>
                </p>
              )}
              <p className="min-w-0 font-mono text-xs text-muted wrap-anywhere">{run.url}</p>
              {run.hasPicture && (
                <img
                  src={imageOf(at + 1)}
                  alt={`The page after step ${at + 1}`}
                  loading="lazy"
                  className="w-full rounded-control border border-line bg-white"
                />
              )}
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}
