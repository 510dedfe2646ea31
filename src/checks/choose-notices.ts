import type { NotificationKind } from "#contract/job.ts";
import { noticeSeverity } from "#contract/notice-severity.ts";
import { proxyAdvice, type TroubleKind, wallAdvice } from "#contract/wall.ts";
import type { Severity } from "#detection/severity/severity.ts";
import type { Often } from "#detection/verdict/verdict.ts";
import { inherit } from "#group-defaults/inherit.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { LogLine } from "#storage/logs.ts";
import { type CheckResult, type Failed, verdictOf } from "./check-result.ts";

const failuresAllowed = 10;
const dayMs = 24 * 3_600_000;
/** One failure may be a restart; two in a row are news. */
const failuresBeforeAlert = 2;

type Notice = { kind: NotificationKind; severity: Severity; message: string };
export type Notices = { lines: LogLine[]; notices: Notice[]; trouble: JobRow["trouble"] };
type Failing = Pick<JobRow, "failures" | "status" | "trouble" | "tell_failures" | "handed">;

/** Chooses the user's notifications after a check, and additional log lines. */
export function chooseNotices(job: Failing, result: CheckResult): Notices {
  if (result.kind === "failed") return judgeFailure(job, result.failure);
  const verdict = verdictOf(result);
  const times = job.failures === 1 ? "a failure" : `${job.failures} failures`;
  const recovered = `The page is reachable again after ${times}`;
  const lines: LogLine[] = job.failures > 0 ? [{ level: "info", meta: recovered }] : [];
  // The recovery is alerted only if the failure was; otherwise it is just an entry in the feed.
  const isFailureAlerted = (job.trouble?.told.length ?? 0) > 0;
  const recoverySeverity = isFailureAlerted ? noticeSeverity.recovered : noticeSeverity.recoveredUnnoticed;
  const recovery: Notice[] =
    job.failures > 0 ? [{ kind: "recovered", severity: recoverySeverity, message: `${recovered}.` }] : [];
  if (verdict?.untold) lines.push({ level: "info", meta: `No alert: ${verdict.untold}` });
  else if (verdict?.changed) {
    const { folded, often, severity, summary } = verdict;
    const notices: Notice[] = [{ kind: folded ? "folded" : "change", severity, message: summary }];
    const places = often.filter((place) => place.folded && place.isNew);
    if (places.length > 0) {
      const message = foldingWords(places);
      notices.push({ kind: "folding", severity: noticeSeverity.frequentChangeToDigest, message });
    }
    return { lines, notices: isFailureAlerted ? [...recovery, ...notices] : notices, trouble: null };
  }
  return { lines, notices: recovery, trouble: null };
}

/**
 * Since when the site has given no answer, if this check got none either, and how the job is interrupted if that is the
 * case for ten checks and a day. A server that answers with an error is still worth asking.
 */
export function judgeOutage(
  { status, failures, trouble }: Pick<JobRow, "failures" | "status" | "trouble">,
  now = new Date(),
): { since: string; interrupted: string | null } {
  const since = trouble?.since ?? now.toISOString();
  const count = failures - (trouble?.answered ?? 0) + 1;
  const isOver = count >= failuresAllowed && now.getTime() - Date.parse(since) >= dayMs;
  return {
    since,
    interrupted: isOver && status === "ACTIVE" ? `Interrupted after ${count} failures in a row` : null,
  };
}

/** What a failure is about; for the default limit, a wall and a proxy count like a site that is down. */
function sortOf({ kind }: Failed["failure"]): TroubleKind {
  if (kind === "selector" || kind === "steps") return "gone";
  if (kind === "proxy") return "proxy";
  return kind === "blocked" || kind === "signed-out" ? "wall" : "down";
}

const limitNames = { down: "down", gone: "gone", wall: "down", proxy: "down" } as const;

const troubleWords: Record<TroubleKind, string> = {
  down: "Check failed",
  gone: "The watched part is missing",
  wall: "The page isn’t shown",
  proxy: "Proxy down",
};

/** What the user can do about a failure; empty if there is nothing to say. */
function adviceFor({ kind, wall }: Failed["failure"]): string {
  if (kind === "proxy") return ` ${proxyAdvice}`;
  return wall ? ` ${wallAdvice[wall]}` : "";
}

function judgeFailure(job: Failing, failure: Failed["failure"], now = new Date()): Notices {
  const sort = sortOf(failure);
  const { trouble: previous } = job;
  const times = previous?.sort === sort ? previous.times + 1 : 1;
  const alerted = previous?.told ?? [];
  // A wall or an empty reply is an answer of the site's, and a proxy that is down says nothing about the site.
  const isAnswered =
    failure.kind === "status" || failure.kind === "empty" || sort === "wall" || sort === "proxy";
  const answered = (previous?.answered ?? 0) + (isAnswered ? 1 : 0);
  const outage = isAnswered ? null : judgeOutage(job);
  const since = outage?.since ?? previous?.since;
  const trouble: NonNullable<JobRow["trouble"]> = {
    sort,
    times,
    message: failure.message,
    from: (previous?.sort === sort && previous.from) || now.toISOString(),
    ...(failure.wall && { wall: failure.wall }),
    told: alerted,
    answered,
    ...(since !== undefined && { since }),
  };
  if (failure.isOfIdentity) return { lines: [], notices: [], trouble };
  if (outage?.interrupted) {
    const message = `${outage.interrupted}: ${failure.message} Activate the job to continue.`;
    return {
      lines: [{ level: "error", meta: outage.interrupted }],
      notices: [{ kind: "interrupted", severity: noticeSeverity.interrupted, message }],
      trouble: { ...trouble, told: [...alerted, sort] },
    };
  }
  if (
    alerted.includes(sort) ||
    times < (inherit(job, "tellFailures")?.[limitNames[sort]] ?? failuresBeforeAlert)
  )
    return { lines: [], notices: [], trouble };
  const during = times === 1 ? "" : ` at ${times} checks in a row`;
  const message = `${troubleWords[sort]}${during}: ${failure.message}${adviceFor(failure)}`;
  return {
    lines: [],
    notices: [{ kind: "failing", severity: noticeSeverity.failing, message }],
    trouble: { ...trouble, told: [...alerted, sort] },
  };
}

function foldingWords(places: Often[]): string {
  const what = places.length === 1 ? "A part" : `${places.length} parts`;
  const times = Math.max(...places.map((place) => place.times));
  return `${what} outside the main content changed at ${times} of the last 5 checks. From now on, you’ll see such changes in your notifications and the daily digest, without an alert each time.`;
}
