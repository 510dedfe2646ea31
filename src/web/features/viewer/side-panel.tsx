import { type ReactNode, useEffect, useRef } from "react";
import { sayCondition } from "#detection/say-condition.ts";
import type { TrialRules } from "#web/api/trial-rules.ts";
import { exactTime } from "#web/ui/relative-time.ts";
import { SeverityWord } from "#web/ui/severity.tsx";
import { sidePanel } from "./layout.ts";
import { Often } from "./often.tsx";
import type { Comparison, Detail, Job } from "./queries.ts";
import { Findings, Section } from "./verdict-view.tsx";
import { inOrder } from "./view-state.ts";
import { type Decided, type OnPicture, Why } from "./why.tsx";

type SidePanelProps = OnPicture & {
  /** Counts the steps taken: the difference of the region in focus comes into sight. */
  steps: number;
  detail: Detail;
  job: Job | undefined;
  other: Detail | undefined;
  comparison: Comparison | undefined;
  /** The rules that are only tried, where it is compared by them. */
  tried: TrialRules | undefined;
  onRules: () => void;
};

const stageWords = {
  wait: "waiting",
  capture: "capturing",
  confirm: "confirming",
  compare: "comparing",
  store: "storing",
  deliver: "telling",
} as const;

function stagesInWords(stages: NonNullable<Detail["stages"]>): string {
  const names = Object.keys(stageWords) as (keyof typeof stageWords)[];
  return names
    .filter((name) => stages[name] > 0)
    .map((name) => `${stageWords[name]} ${stages[name].toLocaleString("en")} ms`)
    .join(", ");
}

/** What is known of this execution, and of how it compares. */
export function SidePanel(props: SidePanelProps) {
  const { detail, job, other, comparison, tried, onRules, ...picture } = props;
  const { region, onRegion, steps } = picture;
  // Until the comparison of these two is there, what was recorded is shown if it is the same two.
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
      // It scrolls, and may hold nothing else that takes the focus.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={sidePanel}
    >
      <Section title={`Execution #${detail.index}`}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          <Fact name="Created">
            <time dateTime={detail.createdAt}>{exactTime(Date.parse(detail.createdAt))}</time>
          </Fact>
          <Fact name="Status">{detail.status_code ?? "no answer"}</Fact>
          <Fact name="Similarity">
            {verdict
              ? `${verdict.similarity} %`
              : detail.similarity === null
                ? "–"
                : `${detail.similarity} %`}
          </Fact>
          <Fact name="Took">
            {(detail.durationMs / 1000).toFixed(1)} s{detail.attempts > 1 && `, ${detail.attempts} attempts`}
          </Fact>
          {detail.stages && <Fact name="Of it">{stagesInWords(detail.stages)}</Fact>}
          {detail.truncated && <Fact name="Cut">The page was too large, so it was not compared</Fact>}
          <Fact name="Id">
            <span className="font-mono text-xs">{detail.id}</span>
          </Fact>
          <Fact name="Seal">
            {detail.seal ? (
              <span className="font-mono text-xs break-all">{detail.seal.hash}</span>
            ) : (
              "not sealed yet"
            )}
          </Fact>
        </dl>
      </Section>
      {other && verdict && (
        <Section title={`Against #${other.index}`} note={outcome(verdict)}>
          <p className="text-sm">
            {verdict.summary} {verdict.changed && <SeverityWord severity={verdict.severity} />}
          </p>
          {verdict.untold && <p className="mt-1 text-sm text-muted">Not told: {verdict.untold}.</p>}
        </Section>
      )}
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
      {job && <MatchSettings job={{ ...job, ...tried }} />}
    </aside>
  );
}

function outcome({ changed, folded, waits, untold }: Decided & { changed: boolean }): string {
  if (!changed) return "Not changed";
  if (untold) return "Changed, not told";
  if (waits) return "Changed, told when seen again";
  return folded ? "Changed, once a day" : "Changed";
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
        <Fact name="Visual threshold">80 %</Fact>
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
            <span className="whitespace-pre-wrap">{job.alertIf.conditions.map(sayCondition).join("\n")}</span>
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
