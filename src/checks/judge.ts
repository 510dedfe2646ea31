import type { NotificationKind } from "#contract/job.ts";
import type { Often } from "#detection/verdict.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { LogLine } from "#storage/logs.ts";
import type { Look } from "./look.ts";

export const failuresAllowed = 10;
const wallsTold = 3;

type Notice = { kind: NotificationKind; severity: string; message: string };
type Judgement = { lines: LogLine[]; notices: Notice[] };

/** What the user is told of an execution, and what the log says besides. */
export function judge(
  job: Pick<JobRow, "failures" | "status">,
  { failure, verdict }: Pick<Look, "failure" | "verdict">,
): Judgement {
  if (failure) return judgeFailure(job, failure);
  const times = job.failures === 1 ? "a failure" : `${job.failures} failures`;
  const recovered = `The target answers again after ${times}`;
  const lines: LogLine[] = job.failures > 0 ? [{ level: "info", meta: recovered }] : [];
  if (verdict?.changed) {
    const { folded, often, severity, summary } = verdict;
    const notices: Notice[] = [{ kind: folded ? "folded" : "change", severity, message: summary }];
    const places = often.filter((place) => place.folded && place.isNew);
    if (places.length > 0) notices.push({ kind: "folding", severity: "info", message: foldingWords(places) });
    return { lines, notices };
  }
  return job.failures > 0
    ? { lines, notices: [{ kind: "recovered", severity: "info", message: `${recovered}.` }] }
    : { lines, notices: [] };
}

function judgeFailure(
  job: Pick<JobRow, "failures" | "status">,
  failure: NonNullable<Look["failure"]>,
): Judgement {
  const inRow = job.failures + 1;
  if (job.status === "ACTIVE" && inRow >= failuresAllowed) {
    const meta = `Interrupted after ${failuresAllowed} failures in a row`;
    const message = `${meta}: ${failure.message} Activate the job to go on.`;
    return {
      lines: [{ level: "error", meta }],
      notices: [{ kind: "interrupted", severity: "important", message }],
    };
  }
  if (failure.kind !== "blocked" || inRow !== wallsTold) return { lines: [], notices: [] };
  const message = `Not seen at ${wallsTold} checks in a row: ${failure.message}`;
  return { lines: [], notices: [{ kind: "failing", severity: "important", message }] };
}

function foldingWords(places: Often[]): string {
  const what = places.length === 1 ? "A part" : `${places.length} parts`;
  const times = Math.max(...places.map((place) => place.times));
  return `${what} outside the main content changed at ${times} of the last 5 checks. From now on such changes come in the notifications and once a day, not at once.`;
}
