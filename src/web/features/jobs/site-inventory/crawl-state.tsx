import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { type SiteRun, useCrawlControl } from "./use-site.ts";

type CrawlStateProps = { jobId: string; run: SiteRun; waiting: number; maxPages: number };

/** How far the newest run is, and what it left out. */
export function CrawlState({ jobId, run, waiting, maxPages }: CrawlStateProps) {
  const control = useCrawlControl(jobId);
  const isOpen = run.state === "running" || run.state === "paused";
  const total = Math.min(run.requested + waiting, maxPages);
  return (
    <div className="grid gap-2 border-b border-line px-4 py-3 text-sm">
      {isOpen ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-52 flex-1">
            <ProgressBar label="Crawl" done={run.requested} total={total}>
              {describeProgress(run, total)}
            </ProgressBar>
          </div>
          <Button
            size="sm"
            icon={run.state === "paused" ? "play" : "pause"}
            busy={control.isPending}
            onClick={() => control.mutate(run.state === "paused" ? "resume" : "pause")}
          >
            {run.state === "paused" ? "Resume" : "Pause"}
          </Button>
        </div>
      ) : (
        <p className="text-muted">
          Crawl {run.number}: {countOf(run.requested, "request")}
          {run.finishedAt && (
            <>
              , finished <Time at={run.finishedAt} />
            </>
          )}
          {run.state === "crawled" && ", being compared with the previous one"}
        </p>
      )}
      {run.failure && <p className="wrap-anywhere text-removed">{run.failure}</p>}
      <Notes notes={run.notes} />
    </div>
  );
}

function describeProgress({ requested, perSecond, state, listsToRead }: SiteRun, total: number): string {
  const done = `${requested.toLocaleString("en")} of ${total.toLocaleString("en")} known pages`;
  if (state === "paused") return `Paused after ${done}.`;
  if (listsToRead > 0) return `Reading sitemaps: ${listsToRead.toLocaleString("en")} to go.`;
  return `${done}, ${perSecond.toLocaleString("en", { maximumFractionDigits: 1 })} per second.`;
}

const shownNotes = 2;

function Notes({ notes }: { notes: string[] }) {
  if (notes.length === 0) return null;
  const list = (some: string[]) => (
    <ul className="grid gap-1 text-muted">
      {some.map((note) => (
        <li key={note} className="wrap-anywhere">
          {note}
        </li>
      ))}
    </ul>
  );
  return notes.length <= shownNotes ? (
    list(notes)
  ) : (
    <details>
      <summary className="cursor-pointer text-muted">{countOf(notes.length, "thing")} left out</summary>
      <div className="pt-1">{list(notes)}</div>
    </details>
  );
}
