import { type ReactNode, useEffect, useRef } from "react";
import { describeCondition } from "#alert-conditions/describe-condition.ts";
import type { TestRules } from "#web/api/test-rules.ts";
import { cx } from "#web/ui/cx.ts";
import { StepRuns } from "#web/ui/page-steps/step-runs.tsx";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { exactTime, shortTime } from "#web/ui/time/relative-time.ts";
import { sidePanel } from "../layout.ts";
import type { Comparison, Detail, Job } from "../queries.ts";
import { inOrder } from "../url-state/view-state.ts";
import { Often } from "./often.tsx";
import { Findings, Section } from "./verdict-view.tsx";
import { type Decided, type OnPicture, Why } from "./why.tsx";

type SidePanelProps = OnPicture & {
  /** Number of steps taken; each step scrolls to the difference of the region in focus. */
  steps: number;
  detail: Detail;
  job: Job | undefined;
  other: Detail | undefined;
  comparison: Comparison | undefined;
  /** The rules that are being tested, if the comparison uses them. */
  tried: TestRules | undefined;
  onRules: () => void;
};

const stageWords = {
  wait: "waiting for a free slot",
  capture: "capturing",
  confirm: "confirming the change",
  compare: "comparing",
  store: "storing",
  deliver: "sending alerts",
} as const;

function describeStages(stages: NonNullable<Detail["stages"]>): string {
  const names = Object.keys(stageWords) as (keyof typeof stageWords)[];
  return names
    .filter((name) => stages[name] > 0)
    .map((name) => `${stageWords[name]} ${stages[name].toLocaleString("en")} ms`)
    .join(", ");
}

/** The details of this execution and of its comparison. */
export function SidePanel(props: SidePanelProps) {
  const { detail, job, other, comparison, tried, onRules, ...picture } = props;
  const { region, onRegion, steps } = picture;
  // Until the comparison has loaded, the recorded verdict is shown if it is about the same two executions.
  const recorded = !tried && other && other.id === detail.baselineId ? detail.verdict : null;
  const verdict = comparison ?? recorded;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (steps > 0) panel.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [steps, region]);
  return (
    <aside
      ref={panel}
      aria-label="About this execution"
      // The panel scrolls and may have no focusable content, so it needs to be a tab stop itself.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={sidePanel}
    >
      <Section
        title={`Execution #${detail.index}`}
        note={
          <time dateTime={detail.createdAt} title={exactTime(Date.parse(detail.createdAt))}>
            {shortTime(Date.parse(detail.createdAt))}
          </time>
        }
      >
        {other && verdict ? (
          <div className={cx("grid gap-1", verdict.changed && `ps-2.5 ${severityEdge(verdict.severity)}`)}>
            <p className="font-medium">{verdict.summary}</p>
            <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
              {verdict.changed && <SeverityWord severity={verdict.severity} />}
              {describeOutcome(verdict)}, compared with #{other.index}
            </p>
            {verdict.untold && <p className="text-sm text-muted">No alert: {verdict.untold}.</p>}
            {verdict.met && <p className="text-sm text-muted">You asked for: {verdict.met}.</p>}
          </div>
        ) : (
          <p className="text-sm text-muted">{detail.error ?? "This capture is shown alone."}</p>
        )}
      </Section>
      {recorded && <Often detail={detail} />}
      <Why
        isTrial={tried !== undefined}
        detail={detail}
        job={job}
        range={other && inOrder(detail.id, other.id)}
        verdict={verdict}
        region={region}
        onRegion={onRegion}
        onRules={onRules}
      />
      {verdict && verdict.findings.length > 0 && (
        <Section title="Findings" note={verdict.findings.length}>
          <Findings findings={verdict.findings} />
        </Section>
      )}
      {detail.steps.length > 0 && (
        <Section title="Steps before the capture" note={detail.steps.length}>
          <StepRuns
            runs={detail.steps}
            imageOf={(step) => `/api/jobs/${detail.jobId}/executions/${detail.id}/steps/${step}/image`}
          />
        </Section>
      )}
      {job && <MatchSettings job={{ ...job, ...tried }} />}
      <TechnicalDetails detail={detail} similarity={verdict?.similarity ?? detail.similarity} />
    </aside>
  );
}

/** What is needed to trace or prove a check, collapsed: most readers never need it. */
function TechnicalDetails({ detail, similarity }: { detail: Detail; similarity: number | null }) {
  return (
    <section className="border-b border-line px-4 py-3 last:border-0">
      <details className="group">
        <summary className="w-max rounded-sm text-sm font-semibold text-muted hover:text-ink">
          Technical details
        </summary>
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          <Fact name="Created">
            <time dateTime={detail.createdAt}>{exactTime(Date.parse(detail.createdAt))}</time>
          </Fact>
          <Fact name="Status">{detail.status_code ?? "no answer"}</Fact>
          <Fact name="Similarity">{similarity === null ? "–" : `${similarity}%`}</Fact>
          <Fact name="Took">
            {(detail.durationMs / 1000).toFixed(1)} s{detail.attempts > 1 && `, ${detail.attempts} attempts`}
          </Fact>
          {detail.stages && <Fact name="Breakdown">{describeStages(detail.stages)}</Fact>}
          {detail.truncated && <Fact name="Truncated">The page was too large to compare</Fact>}
          <Fact name="Id">
            <span className="font-mono text-xs">{detail.id}</span>
          </Fact>
          {detail.imported && (
            <Fact name="Imported">
              <time dateTime={detail.imported.at}>{exactTime(Date.parse(detail.imported.at))}</time>, from an
              archive with the fingerprint (SHA-256){" "}
              <span className="font-mono text-xs break-all">{detail.imported.archive}</span>
              {detail.imported.sealed
                ? ". Its seal of that time came with it."
                : ". The archive had no seal of it, so nothing vouches for what it says."}
            </Fact>
          )}
          <Fact name="Seal">
            {detail.seal ? (
              <span className="font-mono text-xs break-all">{detail.seal.hash}</span>
            ) : (
              "not sealed yet"
            )}
          </Fact>
        </dl>
      </details>
    </section>
  );
}

function describeOutcome({ changed, folded, waits, untold }: Decided & { changed: boolean }): string {
  if (!changed) return "Not changed";
  if (untold) return "Changed, no alert";
  if (waits) return "Changed, pending";
  return folded ? "Changed, in the daily digest" : "Changed";
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="figures min-w-0">{children}</dd>
    </>
  );
}

function MatchSettings({ job }: { job: Pick<Job, "selector" | "ignore" | "alertIf" | "lookup"> }) {
  return (
    <Section title="Match settings">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Fact name="Visual threshold">80%</Fact>
        <Fact name="Compared">
          {job.selector ? <code className="font-mono text-xs">{job.selector}</code> : "the whole page"}
        </Fact>
        <Fact name="Ignored by rule">
          {job.ignore.length === 0 ? (
            "nothing"
          ) : (
            <code className="font-mono text-xs whitespace-pre-wrap">{job.ignore.join("\n")}</code>
          )}
        </Fact>
        {job.alertIf && job.alertIf.conditions.length > 0 && (
          <Fact name={`Alert only if ${job.alertIf.match}`}>
            <span className="whitespace-pre-wrap">
              {job.alertIf.conditions.map(describeCondition).join("\n")}
            </span>
          </Fact>
        )}
        {job.lookup && (
          <Fact name={`When one ${job.lookup.when}`}>
            <span className="whitespace-pre-wrap">{job.lookup.strings.join("\n")}</span>
          </Fact>
        )}
      </dl>
    </Section>
  );
}
