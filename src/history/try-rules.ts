import type { Deps } from "#checks/deps.ts";
import type { Settings } from "#checks/replay-captures.ts";
import { RuleFailure, TookTooMuch } from "#checks/took-too-much.ts";
import type { Actor } from "#contract/actor.ts";
import { type Said, type TrialInput, type TrialLine, type TrialRow, trialSizes } from "#contract/trial.ts";
import { ownJob } from "#jobs/read-job.ts";
import { type ExecutionRow, listStretch } from "#storage/executions.ts";
import type { JobRow } from "#storage/jobs.ts";
import { type Replayed, replay } from "./replay.ts";
import { triedSettings } from "./tried-settings.ts";

// What a job had seen before the first one that is asked for is learned from these.
const warmUp = 10;

/** Tells line by line what a job's history would have been with other rules; nothing is changed by it. */
export async function tryRules(
  deps: Deps,
  actor: Actor,
  jobId: string,
  input: TrialInput,
  signal: AbortSignal,
): Promise<AsyncGenerator<TrialLine>> {
  const job = await ownJob(deps, actor, jobId);
  const settings = await triedSettings(deps, job, input);
  const isPeriod = input.from !== undefined || input.to !== undefined;
  const most = isPeriod ? trialSizes.period : trialSizes.newest;
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const whose = { accountId: actor.accountId, jobId };
  const stretch = { from: time(input.from), to: time(input.to) };
  const { rows, left } = await listStretch(deps.db, whose, most, stretch);
  const first = rows[0];
  const { rows: earlier } = first
    ? await listStretch(deps.db, whose, warmUp, { to: new Date(first.created_at.getTime() - 1) })
    : { rows: [] };
  return tell(deps, job, settings, { rows, earlier, left: isPeriod ? left : 0 }, signal);
}

type Stretch = { rows: ExecutionRow[]; earlier: ExecutionRow[]; left: number };

async function* tell(
  deps: Deps,
  job: JobRow,
  settings: Settings,
  { rows, earlier, left }: Stretch,
  signal: AbortSignal,
): AsyncGenerator<TrialLine> {
  yield { kind: "begun", total: rows.length, left };
  const all: Replayed[] = [];
  let ahead = earlier.length;
  try {
    for await (const found of replay(deps, job, settings, [...earlier, ...rows], { signal })) {
      const asked = found.slice(ahead);
      ahead = Math.max(0, ahead - found.length);
      all.push(...asked);
      yield { kind: "progress", done: all.length, rows: asked.filter(isWorthTelling).map(rowOf) };
    }
    yield { kind: "done", was: count(all, "was"), now: count(all, "now") };
  } catch (error) {
    if (signal.aborted) return;
    const where = `execution #${rows[all.length]?.number} or one of the next few`;
    if (error instanceof RuleFailure)
      yield { kind: "problem", message: `At ${where}: ${error.message} Nothing was changed.` };
    else if (error instanceof TookTooMuch)
      yield { kind: "problem", message: `These rules take too long on ${where}. Nothing was changed.` };
    else throw error;
  }
}

function count(all: Replayed[], when: "was" | "now") {
  const those = (state: Said["state"]) => all.filter((one) => one[when].state === state).length;
  return { alerts: those("alert"), digests: those("digest"), failed: those("failed") };
}

const isWorthTelling = ({ was, now }: Replayed) => was.state !== "quiet" || now.state !== "quiet";

function rowOf({ execution, fromId, was, now, about }: Replayed): TrialRow {
  const { id, number, created_at } = execution;
  return { id, index: number, createdAt: created_at.toISOString(), fromId, was, now, about };
}
