import { useState } from "react";
import { Link } from "react-router";
import type { RuleTestRow } from "#contract/rule-test.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Select } from "#web/ui/select.tsx";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Empty, Failed } from "#web/ui/states.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";
import { useUrlParams, withUrlParams } from "#web/ui/urls/use-url-params.ts";
import { fieldsOf, toJobInput } from "../job-form/fields.ts";
import { useDraft } from "../job-form/use-draft.ts";
import type { Job } from "../queries.ts";
import { groupRuleTest, type RuleTestGroup } from "./group-rule-test.ts";
import { type RuleTestProgress, type RuleTestResult, useRuleTest } from "./use-rule-test.ts";

const periods = [
  { value: "0", label: "The newest 200 checks" },
  { value: "7", label: "The last 7 days" },
  { value: "30", label: "The last 30 days" },
  { value: "90", label: "The last 90 days" },
];

/** Tests the rules as entered in the settings on the history; nothing is saved. */
export function RuleTestDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [search, change] = useUrlParams();
  const { draft } = useDraft(`job-${job.id}`, () => fieldsOf(job));
  const { selector, ignore, awaited, lookup, alertIf, values } = toJobInput(draft);
  const [days, setDays] = useState(search.get("days") ?? "0");
  const trial = useRuleTest(job.id, { selector, ignore, awaited, lookup, alertIf, values }, Number(days));
  const { result, error, isRunning, progress, isCancelled } = trial;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Test on history"
      description="Test these rules on past checks. Nothing is saved and no alerts are sent."
      footer={
        <>
          <Button className="me-auto" onClick={() => change({ dialog: "settings", days: null }, true)}>
            Back to the settings
          </Button>
          {isRunning ? (
            <Button onClick={trial.cancel}>Cancel</Button>
          ) : (
            <Button look={result ? "secondary" : "primary"} onClick={trial.again}>
              {result || error ? "Test again" : "Test"}
            </Button>
          )}
        </>
      }
    >
      <Select
        label="Checks to test"
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
          <Failed title="The test failed">{error.message || "We couldn’t reach the server."}</Failed>
        ) : result ? (
          <Results result={result} jobId={job.id} />
        ) : (
          isCancelled && <p className="text-sm text-muted">Canceled. Nothing was changed.</p>
        )}
      </div>
    </Dialog>
  );
}

function Bar({ progress }: { progress: RuleTestProgress | undefined }) {
  const { done, total } = progress ?? { done: 0, total: 0 };
  return (
    <div className="grid gap-1.5">
      <progress value={done} max={total || 1} aria-label="Test" className="h-1.5 w-full accent-accent-text" />
      <p className="figures text-sm text-muted">
        {total === 0 ? "Starting" : `${done.toLocaleString()} of ${countOf(total, "check")}`}
      </p>
    </div>
  );
}

function Results({ result, jobId }: { result: RuleTestResult; jobId: string }) {
  const { total, left, rows, was, now } = result;
  if (total === 0) {
    return (
      <Empty icon="clock" title="No checks to test on">
        There were no checks in this period. Choose another, or come back later.
      </Empty>
    );
  }
  const failed = now.failed - was.failed;
  return (
    <>
      <div>
        <p className="text-lg font-semibold">
          {now.alerts === was.alerts
            ? `${countOf(now.alerts, "alert")}, as before`
            : `${countOf(now.alerts, "alert")} instead of ${was.alerts}`}
        </p>
        <p className="text-sm text-muted">
          In {countOf(total, "check")}
          {left > 0 && `; ${left.toLocaleString()} older checks of this period weren’t tested`}.{" "}
          {failed > 0 && `In ${failed} of them the selector matches nothing, so the check would have failed.`}
        </p>
      </div>
      {rows.length === 0 && (
        <p className="text-sm text-muted">
          These checks sent no alerts, and with these rules they still wouldn’t.
        </p>
      )}
      {groupRuleTest(rows).map((part) => (
        <Part key={part.title} part={part} jobId={jobId} />
      ))}
    </>
  );
}

const shownAtOnce = 50;

function Part({ part: { title, rows }, jobId }: { part: RuleTestGroup; jobId: string }) {
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

const stateLabels = { alert: "Alert", digest: "Digest", quiet: "Nothing", failed: "Failed" };

function Row({ row, jobId }: { row: RuleTestRow; jobId: string }) {
  const [search] = useUrlParams();
  const { id, index, createdAt, fromId, was, now, about } = row;
  const to = withUrlParams(search, { dialog: null, job: jobId, execution: id, with: fromId, trial: "1" });
  const severity = was.severity ?? now.severity;
  const mainSummary = was.state === "quiet" ? now.summary : was.summary;
  // "No change" only repeats the state above; any other summary says why there would be no alert.
  const hasOtherSummary = now.summary !== mainSummary && now.summary !== "No change";
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
          {stateLabels[was.state]} then, {stateLabels[now.state].toLowerCase()} now
        </span>
        <time dateTime={createdAt} className="figures ms-auto text-xs text-muted">
          {exactTime(Date.parse(createdAt))}
        </time>
      </span>
      <span className="line-clamp-2 wrap-anywhere">{mainSummary}</span>
      {hasOtherSummary && <span className="line-clamp-2 text-muted wrap-anywhere">Now: {now.summary}</span>}
      {now.state === "quiet" && about.length > 1 && (
        <span className="line-clamp-2 text-xs text-muted wrap-anywhere">{about.join(" · ")}</span>
      )}
    </Link>
  );
}
