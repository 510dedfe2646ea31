import type { Deps } from "#checks/deps.ts";
import { RuleFailure, TookTooMuch } from "#checks/detection-threads/limit-errors.ts";
import type { Settings } from "#checks/replay-captures.ts";
import type { Actor } from "#contract/actor.ts";
import {
  type CheckOutcome,
  type RuleTestInput,
  type RuleTestLine,
  type RuleTestRow,
  ruleTestSizes,
} from "#contract/rule-test.ts";
import { ownJob } from "#jobs/read-job.ts";
import { type ExecutionRow, listExecutionsBetween } from "#storage/executions.ts";
import type { JobRow } from "#storage/jobs.ts";
import { type ReplayedExecution, replay } from "./replay.ts";
import { testedSettings } from "./test-settings.ts";

// What the job had seen before the first requested execution is learned from this many earlier ones.
const warmUp = 10;

/** Streams what a job's history would have been with other rules; changes nothing. */
export async function tryRules(
  deps: Deps,
  actor: Actor,
  jobId: string,
  input: RuleTestInput,
  signal: AbortSignal,
): Promise<AsyncGenerator<RuleTestLine>> {
  const job = await ownJob(deps, actor, jobId);
  const settings = await testedSettings(deps, job, input);
  const isPeriod = input.from !== undefined || input.to !== undefined;
  const maxRows = isPeriod ? ruleTestSizes.period : ruleTestSizes.newest;
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const owner = { accountId: actor.accountId, jobId };
  const stretch = { from: time(input.from), to: time(input.to) };
  const { rows, left } = await listExecutionsBetween(deps.db, owner, maxRows, stretch);
  const first = rows[0];
  const { rows: earlier } = first
    ? await listExecutionsBetween(deps.db, owner, warmUp, { to: new Date(first.created_at.getTime() - 1) })
    : { rows: [] };
  return streamResults(deps, job, settings, { rows, earlier, left: isPeriod ? left : 0 }, signal);
}

type Stretch = { rows: ExecutionRow[]; earlier: ExecutionRow[]; left: number };

async function* streamResults(
  deps: Deps,
  job: JobRow,
  settings: Settings,
  { rows, earlier, left }: Stretch,
  signal: AbortSignal,
): AsyncGenerator<RuleTestLine> {
  yield { kind: "begun", total: rows.length, left };
  const all: ReplayedExecution[] = [];
  let warmUpLeft = earlier.length;
  try {
    for await (const found of replay(deps, job, settings, [...earlier, ...rows], { signal })) {
      const requested = found.slice(warmUpLeft);
      warmUpLeft = Math.max(0, warmUpLeft - found.length);
      all.push(...requested);
      yield { kind: "progress", done: all.length, rows: requested.filter(isRelevant).map(rowOf) };
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

function count(all: ReplayedExecution[], when: "was" | "now") {
  const countState = (state: CheckOutcome["state"]) => all.filter((one) => one[when].state === state).length;
  return { alerts: countState("alert"), digests: countState("digest"), failed: countState("failed") };
}

const isRelevant = ({ was, now }: ReplayedExecution) => was.state !== "quiet" || now.state !== "quiet";

function rowOf({ execution, fromId, was, now, about }: ReplayedExecution): RuleTestRow {
  const { id, number, created_at } = execution;
  return { id, index: number, createdAt: created_at.toISOString(), fromId, was, now, about };
}
