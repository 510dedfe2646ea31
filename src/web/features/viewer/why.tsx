import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { canTell } from "#detection/can-tell.ts";
import { call } from "#web/api/call.ts";
import { type Noise, useNoise, useNoiseWord } from "#web/api/noise.ts";
import { Time } from "#web/ui/time.tsx";
import { ChannelList } from "./channel-list.tsx";
import type { Comparison, Detail, Job } from "./queries.ts";
import { ToPicture } from "./to-picture.tsx";
import { BeforeAfter, type Change, type Reason, Reasons, Section, textButton } from "./verdict-view.tsx";

type Ignored = Comparison["ignored"][number];
type Range = { from: string; to: string };

const words: Record<string, string> = {
  token: "a token or session id",
  time: "a time or date",
  counter: "a counter",
  "asset-version": "the version of an asset",
  build: "a build id",
  consent: "a consent banner",
  widget: "a widget of another site",
  advertisement: "an advertisement",
  tracking: "tracking",
  rotation: "content that rotates",
  visitor: "made for each visitor",
  order: "only the order differs",
  hidden: "not visible",
  markup: "markup without effect",
  style: "how it is drawn",
  transport: "how it was sent",
  learned: "this place changes by itself",
  alternating: "it goes back and forth",
  said: "you called it noise",
  rule: "you said this place is noise",
};

const shown = 20;

export type OnPicture = {
  /** Which of the verdict's regions is in focus. */
  region: number | undefined;
  onRegion: (region: number) => void;
};

export type Decided = { folded?: boolean | undefined; waits?: true | undefined; untold?: string | undefined };

/** What became of the differences that are no noise. */
function become({ folded, waits, untold }: Decided): string {
  if (untold) return "Not told";
  if (waits) return "Told when seen again";
  return folded ? "Told once a day" : "Told";
}

type WhyProps = OnPicture & {
  detail: Detail;
  job: Job | undefined;
  range: Range | undefined;
  verdict: (Decided & { reasons: Reason[]; ignored: Ignored[]; ignoredCount?: number | undefined }) | null;
  onRules: () => void;
  /** By rules that are only tried; which of the job's own leave something out says nothing of them. */
  isTrial: boolean;
};

/** Each difference that was found and what became of it, then who was told. */
export function Why({ detail, job, range, verdict, region, onRegion, onRules, isTrial }: WhyProps) {
  const { jobId } = detail;
  const noise = useNoise(jobId).data;
  const ignored = verdict?.ignored ?? [];
  const count = verdict?.ignoredCount ?? ignored.length;
  const picture = { region, onRegion };
  return (
    <Section title="Why">
      {verdict && verdict.reasons.length > 0 && (
        <Part title={become(verdict)}>
          <Reasons
            reasons={verdict.reasons}
            region={region}
            tools={(change) => (
              <ToldTools change={change} jobId={jobId} range={range} noise={noise} {...picture} />
            )}
          />
        </Part>
      )}
      {!isTrial && job && range && <LeftOut job={job} range={range} onRules={onRules} />}
      {ignored.length > 0 && (
        <Part title="Taken for noise" note={count}>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
            {ignored.slice(0, shown).map((difference, i) => (
              <li
                key={i}
                aria-current={isIn(difference, region) || undefined}
                className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-sm aria-[current]:bg-hover"
              >
                <p className="text-xs text-muted">
                  {words[difference.why] ?? difference.why}
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
            {count > shown && <li className="text-xs text-muted">and {count - shown} more</li>}
          </ul>
        </Part>
      )}
      {verdict && verdict.reasons.length === 0 && ignored.length === 0 && (
        <p className="text-sm text-muted">Nothing differs.</p>
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

type ToldToolsProps = OnPicture & {
  change: Change;
  jobId: string;
  range: Range | undefined;
  noise: Noise | undefined;
};

function ToldTools({ change, jobId, range, noise, onRegion }: ToldToolsProps) {
  const word = useNoiseWord(jobId);
  const { id, where, region } = change;
  const said = noise?.learned.find(
    (one) => one.why === "said" && (one.id === null ? one.place === `picture ${where}` : one.id === id),
  );
  return (
    <Tools>
      <ToPicture region={region} onRegion={onRegion} />
      {said && id ? (
        <>
          <span>noise from the next check on</span>
          <button
            type="button"
            className={textButton}
            onClick={() =>
              word.mutate({ say: "back", ...(said.id ? { id: said.id } : { place: said.place }) })
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
            aria-disabled={word.isPending}
            className={textButton}
            onClick={() => word.mutate({ say: "noise", executionId: range.to, from: range.from, id })}
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
  const word = useNoiseWord(jobId);
  const { place, said, region } = difference;
  const isKept = noise?.kept.some((one) => one.place === place) ?? false;
  const isBack = said !== undefined && noise !== undefined && !noise.learned.some(({ id }) => id === said);
  return (
    <Tools>
      <ToPicture region={region} onRegion={onRegion} />
      {isKept || isBack ? (
        <>
          <span>told from the next check on</span>
          {isKept && (
            <button type="button" className={textButton} onClick={() => word.mutate({ say: "back", place })}>
              Undo
            </button>
          )}
        </>
      ) : (
        canTell(difference) && (
          <button
            type="button"
            aria-disabled={word.isPending}
            className={textButton}
            onClick={() => word.mutate(said ? { say: "back", id: said } : { say: "tell", place })}
          >
            Tell me of this
          </button>
        )
      )}
    </Tools>
  );
}

type LeftOutProps = { job: Job; range: Range; onRules: () => void };

/** What the job's rules leave out, and which of them. */
function LeftOut({ job, range, onRules }: LeftOutProps) {
  const { selector, ignore } = job;
  const { data, error, refetch } = useQuery({
    queryKey: ["left-out", job.id, range.from, range.to, selector, ignore],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call("GET /api/jobs/:jobId/compare/left-out", { params: { jobId: job.id }, query: range }, { signal }),
  });
  // Its group may hand down rules too; one with none of its own is not kept waiting for them.
  const hasOwn = selector !== null || ignore.length > 0;
  if (!error && (data ? data.count === 0 : !hasOwn)) return null;
  return (
    <Part title="Left out by your rules" note={data?.count}>
      {error ? (
        <Tools>
          <span>It could not be found out.</span>
          <button type="button" className={textButton} onClick={() => void refetch()}>
            Try again
          </button>
        </Tools>
      ) : !data ? (
        <p className="text-xs text-muted">Looking …</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
          {data.differences.slice(0, shown).map(({ where, before, after, rule }, i) => (
            <li key={i} className="grid grid-cols-[minmax(0,1fr)] gap-1">
              <p className="text-xs text-muted">
                {rule === null ? (
                  "a rule the job no longer has"
                ) : (
                  <code className="font-mono wrap-anywhere">{rule}</code>
                )}
              </p>
              <BeforeAfter where={where} before={before} after={after} />
            </li>
          ))}
          <li className="flex gap-3 text-xs text-muted">
            {data.count > shown && <span>and {data.count - shown} more</span>}
            <button type="button" className={textButton} onClick={onRules}>
              Edit rules
            </button>
          </li>
        </ul>
      )}
    </Part>
  );
}
