import { useState } from "react";
import { Link } from "react-router";
import type { TrialRow } from "#contract/trial.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { exactTime } from "#web/ui/relative-time.ts";
import { Select } from "#web/ui/select.tsx";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Empty, Failed } from "#web/ui/states.tsx";
import { useAddress, withParts } from "#web/ui/use-address.ts";
import { fieldsOf, inputOf } from "../dialogs/fields.ts";
import { useDraft } from "../dialogs/use-draft.ts";
import type { Job } from "../queries.ts";
import { sortTrial, type TrialPart } from "./sort-trial.ts";
import { type TrialProgress, type TrialResult, useTrial } from "./use-trial.ts";

const periods = [
  { value: "0", label: "The newest 200 checks" },
  { value: "7", label: "The last 7 days" },
  { value: "30", label: "The last 30 days" },
  { value: "90", label: "The last 90 days" },
];

/** What the rules as they stand in the settings would have done to the history; nothing is saved. */
export function TryDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [search, change] = useAddress();
  const { draft } = useDraft(`job-${job.id}`, () => fieldsOf(job));
  const { selector, ignore, awaited, lookup, alertIf, values } = inputOf(draft);
  const [days, setDays] = useState(search.get("days") ?? "0");
  const trial = useTrial(job.id, { selector, ignore, awaited, lookup, alertIf, values }, Number(days));
  const { result, error, isRunning, progress, isCancelled } = trial;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Try on history"
      description="The stored captures, gone over with the rules as they stand in the settings. Nothing is saved, nobody is told."
      footer={
        <>
          <Button className="me-auto" onClick={() => change({ dialog: "settings", days: null }, true)}>
            Back to the settings
          </Button>
          {isRunning ? (
            <Button onClick={trial.cancel}>Cancel</Button>
          ) : (
            <Button look={result ? "secondary" : "primary"} onClick={trial.again}>
              {result || error ? "Try again" : "Try"}
            </Button>
          )}
        </>
      }
    >
      <Select
        label="Which checks"
        value={days}
        onChange={(value) => {
          setDays(value);
          change({ days: value === "0" ? null : value }, true);
        }}
        options={periods}
        className="mt-3 max-w-60"
      />
      <div aria-live="polite" className="mt-4 grid gap-4">
        {isRunning ? (
          <Bar progress={progress} />
        ) : error ? (
          <Failed title="The trial could not be made">
            {error.message || "The server could not be reached."}
          </Failed>
        ) : result ? (
          <Found result={result} jobId={job.id} />
        ) : (
          isCancelled && <p className="text-sm text-muted">Cancelled. Nothing was changed.</p>
        )}
      </div>
    </Dialog>
  );
}

function Bar({ progress }: { progress: TrialProgress | undefined }) {
  const { done, total } = progress ?? { done: 0, total: 0 };
  return (
    <div className="grid gap-1.5">
      <progress
        value={done}
        max={total || 1}
        aria-label="Trial"
        className="h-1.5 w-full accent-accent-text"
      />
      <p className="figures text-sm text-muted">
        {total === 0 ? "Starting" : `${done.toLocaleString()} of ${countOf(total, "check")}`}
      </p>
    </div>
  );
}

function Found({ result, jobId }: { result: TrialResult; jobId: string }) {
  const { total, left, rows, was, now } = result;
  if (total === 0) {
    return (
      <Empty icon="clock" title="There are no checks to try them on">
        The history of this time is empty. Choose another, or come back after some checks.
      </Empty>
    );
  }
  const failed = now.failed - was.failed;
  return (
    <>
      <div>
        <p className="text-lg font-semibold">
          {countOf(now.alerts, "alert")} instead of {was.alerts}
        </p>
        <p className="text-sm text-muted">
          At {countOf(total, "check")}
          {left > 0 && `; ${left.toLocaleString()} older ones of that time were left out`}.{" "}
          {failed > 0 && `At ${failed} of them the selector matches nothing, so the check would have failed.`}
        </p>
      </div>
      {rows.length === 0 && (
        <p className="text-sm text-muted">Nothing was told at these checks, and nothing would have been.</p>
      )}
      {sortTrial(rows).map((part) => (
        <Part key={part.title} part={part} jobId={jobId} />
      ))}
    </>
  );
}

const shownAtOnce = 50;

function Part({ part: { title, rows }, jobId }: { part: TrialPart; jobId: string }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? rows : rows.slice(0, shownAtOnce);
  return (
    <section aria-label={title} className="grid gap-1.5">
      <h3 className="text-sm font-medium">
        {title} <span className="figures font-normal text-muted">{rows.length}</span>
      </h3>
      <ul aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {shown.map((row) => (
          <li key={row.id}>
            <Row row={row} jobId={jobId} />
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <Button size="sm" look="ghost" className="justify-self-start" onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </section>
  );
}

const words = { alert: "Alert", digest: "Digest", quiet: "Nothing", failed: "Failed" };

function Row({ row, jobId }: { row: TrialRow; jobId: string }) {
  const [search] = useAddress();
  const { id, index, createdAt, fromId, was, now, about } = row;
  const to = withParts(search, { dialog: null, job: jobId, execution: id, with: fromId, trial: "1" });
  const severity = was.severity ?? now.severity;
  const said = was.state === "quiet" ? now.summary : was.summary;
  // That nothing is told is said above; why it would not be is not.
  const isOtherNow = now.summary !== said && now.summary !== "No change";
  return (
    <Link
      to={`?${to}`}
      className={cx(
        "grid gap-0.5 rounded-control bg-surface px-3 py-2 text-sm ring-1 ring-inset ring-line hover:bg-hover",
        severityEdge(severity ?? "info"),
      )}
    >
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="figures font-mono">#{index}</span>
        {severity && <SeverityWord severity={severity} />}
        <span className="text-muted">
          {words[was.state]} then, {words[now.state].toLowerCase()} now
        </span>
        <time dateTime={createdAt} className="figures ms-auto text-xs text-muted">
          {exactTime(Date.parse(createdAt))}
        </time>
      </span>
      <span className="line-clamp-2 wrap-anywhere">{said}</span>
      {isOtherNow && <span className="line-clamp-2 text-muted wrap-anywhere">Now: {now.summary}</span>}
      {now.state === "quiet" && about.length > 1 && (
        <span className="line-clamp-2 text-xs text-muted wrap-anywhere">{about.join(" · ")}</span>
      )}
    </Link>
  );
}
