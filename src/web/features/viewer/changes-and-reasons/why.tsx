import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { idleAfterChecks } from "#detection/noise-memory/idle-rules.ts";
import { canRequestAlerts } from "#detection/verdict/verdict.ts";
import { call } from "#web/api/call.ts";
import { type Noise, useNoise, useNoiseFeedback } from "#web/api/noise.ts";
import { Time } from "#web/ui/time/time.tsx";
import { ChannelList } from "../alerts-and-triggers/channel-list.tsx";
import type { Comparison, Detail, Job } from "../queries.ts";
import { OpinionPart } from "./opinion-part.tsx";
import { ShowOnPicture } from "./show-on-picture.tsx";
import { BeforeAfter, type Change, type Reason, Reasons, Section, textButton } from "./verdict-view.tsx";

type Ignored = Comparison["ignored"][number];
type Range = { from: string; to: string };

const reasonWords: Record<string, string> = {
  token: "a token or session id",
  time: "a time or date",
  counter: "a counter",
  "asset-version": "the version of a file",
  build: "a build id",
  consent: "a consent banner",
  widget: "a widget from another site",
  advertisement: "an advertisement",
  tracking: "tracking",
  rotation: "rotating content",
  visitor: "different for each visitor",
  order: "only the order differs",
  hidden: "not visible",
  markup: "markup without a visible effect",
  style: "styling",
  transport: "how it was transferred",
  learned: "this part changes by itself",
  alternating: "back again: an earlier check saw it",
  said: "you marked it as noise",
  rule: "you marked this part as noise",
};

const shownLimit = 20;

export type OnPicture = {
  /** Index of the verdict's region that is in focus. */
  region: number | undefined;
  onRegion: (region: number) => void;
};

export type Decided = { folded?: boolean | undefined; waits?: true | undefined; untold?: string | undefined };

/** Describes what happened to the differences that are not noise. */
function describeOutcome({ folded, waits, untold }: Decided): string {
  if (untold) return "No alert";
  if (waits) return "Pending: alerted if the next check still sees it";
  return folded ? "In the daily digest" : "Alerted";
}

type WhyProps = OnPicture & {
  detail: Detail;
  job: Job | undefined;
  range: Range | undefined;
  verdict: (Decided & { reasons: Reason[]; ignored: Ignored[]; ignoredCount?: number | undefined }) | null;
  onRules: () => void;
  /** Whether the verdict uses rules that are only being tested: what the job's own rules exclude is then irrelevant. */
  isTrial: boolean;
};

/** Every difference that was found and what happened to it, then which channels sent alerts. */
export function Why({ detail, job, range, verdict, region, onRegion, onRules, isTrial }: WhyProps) {
  const { jobId } = detail;
  const noise = useNoise(jobId).data;
  const ignored = verdict?.ignored ?? [];
  const count = verdict?.ignoredCount ?? ignored.length;
  const picture = { region, onRegion };
  return (
    <Section title="Why">
      {verdict && verdict.reasons.length > 0 && (
        <Part title={detail.opinion?.lowered && !isTrial ? "In the daily digest" : describeOutcome(verdict)}>
          <Reasons
            reasons={verdict.reasons}
            region={region}
            tools={(change) => (
              <AlertedTools change={change} jobId={jobId} range={range} noise={noise} {...picture} />
            )}
          />
        </Part>
      )}
      {!isTrial && detail.opinion && (
        <Part title="Second opinion">
          <OpinionPart opinion={detail.opinion} />
        </Part>
      )}
      {!isTrial && job && range && <ExcludedDifferences job={job} range={range} onRules={onRules} />}
      {!isTrial && noise && noise.idleRules.length > 0 && (
        <IdleRules rules={noise.idleRules} onRules={onRules} />
      )}
      {ignored.length > 0 && (
        <Part title="Ignored as noise" note={count}>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
            {ignored.slice(0, shownLimit).map((difference, i) => (
              <li
                key={i}
                aria-current={isIn(difference, region) || undefined}
                className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-sm aria-[current]:bg-hover"
              >
                <p className="text-xs text-muted">
                  {reasonWords[difference.why] ?? difference.why}
                  {difference.since && (
                    <>
                      , since <Time at={difference.since} />
                    </>
                  )}
                </p>
                <BeforeAfter where={difference.place} before={difference.before} after={difference.after} />
                <IgnoredTools difference={difference} jobId={jobId} noise={noise} {...picture} />
              </li>
            ))}
            {count > shownLimit && <li className="text-xs text-muted">and {count - shownLimit} more</li>}
          </ul>
        </Part>
      )}
      {verdict && verdict.reasons.length === 0 && ignored.length === 0 && (
        <p className="text-sm text-muted">No differences.</p>
      )}
      <Part title="Channels">
        <ChannelList detail={detail} job={job} />
      </Part>
    </Section>
  );
}

function isIn({ region }: { region?: number | undefined }, current: number | undefined): boolean {
  return region !== undefined && region === current;
}

function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-1.5 first-of-type:mt-0">
      <h4 className="flex items-baseline text-xs font-semibold text-muted">
        <span className="flex-1">{title}</span>
        {note !== undefined && <span className="figures font-normal">{note}</span>}
      </h4>
      {children}
    </section>
  );
}

function Tools({ children }: { children: ReactNode }) {
  return <p className="flex flex-wrap items-baseline gap-x-3 text-xs text-muted">{children}</p>;
}

type AlertedToolsProps = OnPicture & {
  change: Change;
  jobId: string;
  range: Range | undefined;
  noise: Noise | undefined;
};

function AlertedTools({ change, jobId, range, noise, onRegion }: AlertedToolsProps) {
  const feedback = useNoiseFeedback(jobId);
  const { id, where, region } = change;
  const mark = noise?.learned.find(
    (one) => one.why === "said" && (one.id === null ? one.place === `picture ${where}` : one.id === id),
  );
  return (
    <Tools>
      <ShowOnPicture region={region} onRegion={onRegion} />
      {mark && id ? (
        <>
          <span>Noise from the next check on</span>
          <button
            type="button"
            className={textButton}
            onClick={() =>
              feedback.mutate({ say: "back", ...(mark.id ? { id: mark.id } : { place: mark.place }) })
            }
          >
            Undo
          </button>
        </>
      ) : (
        id &&
        range && (
          <button
            type="button"
            aria-disabled={feedback.isPending}
            className={textButton}
            onClick={() => feedback.mutate({ say: "noise", executionId: range.to, from: range.from, id })}
          >
            This is noise
          </button>
        )
      )}
    </Tools>
  );
}

type IgnoredToolsProps = OnPicture & { difference: Ignored; jobId: string; noise: Noise | undefined };

function IgnoredTools({ difference, jobId, noise, onRegion }: IgnoredToolsProps) {
  const feedback = useNoiseFeedback(jobId);
  const { place, said, region } = difference;
  const isWanted = noise?.kept.some((one) => one.place === place) ?? false;
  const isUndone = said !== undefined && noise !== undefined && !noise.learned.some(({ id }) => id === said);
  return (
    <Tools>
      <ShowOnPicture region={region} onRegion={onRegion} />
      {isWanted || isUndone ? (
        <>
          <span>Alerted from the next check on</span>
          {isWanted && (
            <button
              type="button"
              className={textButton}
              onClick={() => feedback.mutate({ say: "back", place })}
            >
              Undo
            </button>
          )}
        </>
      ) : (
        canRequestAlerts(difference) && (
          <button
            type="button"
            aria-disabled={feedback.isPending}
            className={textButton}
            onClick={() => feedback.mutate(said ? { say: "back", id: said } : { say: "tell", place })}
          >
            Alert me about this
          </button>
        )
      )}
    </Tools>
  );
}

/** Ignore rules that may be wrong or left over. */
function IdleRules({ rules, onRules }: { rules: string[]; onRules: () => void }) {
  return (
    <Part title={`Matched nothing at the last ${idleAfterChecks} checks`} note={rules.length}>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1 text-xs">
        {rules.map((rule) => (
          <li key={rule}>
            <code className="font-mono wrap-anywhere">{rule}</code>
          </li>
        ))}
        <li>
          <button type="button" className={textButton} onClick={onRules}>
            Edit rules
          </button>
        </li>
      </ul>
    </Part>
  );
}

type ExcludedDifferencesProps = { job: Job; range: Range; onRules: () => void };

/** The differences that the job's rules exclude, each with its rule. */
function ExcludedDifferences({ job, range, onRules }: ExcludedDifferencesProps) {
  const { selector, ignore, steps } = job;
  const { data, error, refetch } = useQuery({
    queryKey: ["left-out", job.id, range.from, range.to, selector, ignore, steps],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call("GET /api/jobs/:jobId/compare/left-out", { params: { jobId: job.id }, query: range }, { signal }),
  });
  // The job may inherit rules from its group too. Without rules of its own, nothing is shown until those are known.
  const hasOwn = selector !== null || ignore.length > 0 || (steps ?? []).length > 0;
  if (!error && (data ? data.count === 0 : !hasOwn)) return null;
  return (
    <Part title="Excluded by your rules" note={data?.count}>
      {error ? (
        <Tools>
          <span>We couldn’t load this.</span>
          <button type="button" className={textButton} onClick={() => void refetch()}>
            Try again
          </button>
        </Tools>
      ) : !data ? (
        <p className="text-xs text-muted">Loading…</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
          {data.differences.slice(0, shownLimit).map(({ where, before, after, rule }, i) => (
            <li key={i} className="grid grid-cols-[minmax(0,1fr)] gap-1">
              <p className="text-xs text-muted">
                {rule === null ? (
                  "a rule this job no longer has"
                ) : (
                  <code className="font-mono wrap-anywhere">{rule}</code>
                )}
              </p>
              <BeforeAfter where={where} before={before} after={after} />
            </li>
          ))}
          <li className="flex gap-3 text-xs text-muted">
            {data.count > shownLimit && <span>and {data.count - shownLimit} more</span>}
            <button type="button" className={textButton} onClick={onRules}>
              Edit rules
            </button>
          </li>
        </ul>
      )}
    </Part>
  );
}
