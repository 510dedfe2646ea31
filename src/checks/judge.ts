import type { NotificationKind } from "#contract/job.ts";
import type { Often } from "#detection/verdict.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { LogLine } from "#storage/logs.ts";
import { tellFailuresOf } from "./inherit.ts";
import type { Look } from "./look.ts";

export const failuresAllowed = 10;
const wallsTold = 3;
/** An error page at one check may be a restart; at two it is news. */
const errorsTold = 2;

type Notice = { kind: NotificationKind; severity: string; message: string };
type Judgement = { lines: LogLine[]; notices: Notice[]; trouble: JobRow["trouble"] };
type Failing = Pick<JobRow, "failures" | "status" | "trouble" | "tell_failures" | "handed">;

/** What the user is told of an execution, and what the log says besides. */
export function judge(job: Failing, { failure, verdict }: Pick<Look, "failure" | "verdict">): Judgement {
  if (failure) return judgeFailure(job, failure);
  const times = job.failures === 1 ? "a failure" : `${job.failures} failures`;
  const recovered = `The target answers again after ${times}`;
  const lines: LogLine[] = job.failures > 0 ? [{ level: "info", meta: recovered }] : [];
  // Who was told that it fails is told that it does no more; for others it is a line in the feed.
  const isTold = (job.trouble?.told.length ?? 0) > 0;
  const back: Notice[] =
    job.failures > 0
      ? [{ kind: "recovered", severity: isTold ? "notice" : "info", message: `${recovered}.` }]
      : [];
  if (verdict?.untold) lines.push({ level: "info", meta: `Not told: ${verdict.untold}` });
  else if (verdict?.changed) {
    const { folded, often, severity, summary } = verdict;
    const notices: Notice[] = [{ kind: folded ? "folded" : "change", severity, message: summary }];
    const places = often.filter((place) => place.folded && place.isNew);
    if (places.length > 0) notices.push({ kind: "folding", severity: "info", message: foldingWords(places) });
    return { lines, notices: isTold ? [...back, ...notices] : notices, trouble: null };
  }
  return { lines, notices: back, trouble: null };
}

/** Failed checks in a row without any answer. A server that answers with an error is still worth asking. */
export function failuresInSilence({ failures, trouble }: Pick<JobRow, "failures" | "trouble">): number {
  return failures - (trouble?.answered ?? 0);
}

function judgeFailure(job: Failing, failure: NonNullable<Look["failure"]>): Judgement {
  const sort = failure.kind === "selector" ? "gone" : "down";
  const { trouble: before } = job;
  const times = before?.sort === sort ? before.times + 1 : 1;
  const told = before?.told ?? [];
  const isAnswered = failure.kind === "status";
  const answered = (before?.answered ?? 0) + (isAnswered ? 1 : 0);
  if (job.status === "ACTIVE" && !isAnswered && failuresInSilence(job) + 1 >= failuresAllowed) {
    const meta = `Interrupted after ${failuresAllowed} failures in a row`;
    const message = `${meta}: ${failure.message} Activate the job to go on.`;
    return {
      lines: [{ level: "error", meta }],
      notices: [{ kind: "interrupted", severity: "important", message }],
      trouble: { sort, times, told: [...told, sort], answered },
    };
  }
  const usual = isAnswered ? errorsTold : failure.kind === "blocked" ? wallsTold : failuresAllowed;
  if (told.includes(sort) || times < (tellFailuresOf(job)?.[sort] ?? usual))
    return { lines: [], notices: [], trouble: { sort, times, told, answered } };
  const what = sort === "gone" ? "What is watched is gone" : "Not seen";
  const message = `${what}${times === 1 ? "" : ` at ${times} checks in a row`}: ${failure.message}`;
  return {
    lines: [],
    notices: [{ kind: "failing", severity: "important", message }],
    trouble: { sort, times, told: [...told, sort], answered },
  };
}

function foldingWords(places: Often[]): string {
  const what = places.length === 1 ? "A part" : `${places.length} parts`;
  const times = Math.max(...places.map((place) => place.times));
  return `${what} outside the main content changed at ${times} of the last 5 checks. From now on such changes come in the notifications and once a day, not at once.`;
}
