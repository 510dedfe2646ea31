import { emitEvents, findWatchedAccounts } from "#live-events/events.ts";
import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import { share, turnPriority } from "./enqueue.ts";
import { advanceRuns } from "./next-runs.ts";
import { type Claim, claimDue, type Pass, readTurnWeights } from "./schedule-rows.ts";

const maxQueueLength = 5000;
const maxPerAccount = 500;

/** A pass over the due jobs, and how far each account's turn has advanced in it. */
export type DuePass = Pass & { turns?: Map<string, number> };

/** Claims jobs that are due and queues their captures, in one transaction; returns how many. */
export async function enqueueDue(
  deps: { db: Database; queue: Queue },
  limit: number,
  pass?: DuePass,
): Promise<number> {
  const { room, full } = await roomFor(deps.queue);
  if (room <= 0) return 0;
  const claims = await deps.db
    .transaction()
    .execute((tx) => claimBatch(deps.queue, tx, Math.min(room, limit), pass, full));
  // Not in the transaction of the claim: a check that is being recorded has its job locked and waits for that claim.
  for (const claim of claims) await insertLogs(deps.db, claim.id, logLinesOf(claim));
  await notifyWatchers(
    deps.db,
    claims.filter(({ isOver }) => !isOver),
  );
  return claims.length;
}

/** When the queue is full, there is still room for accounts that have few tasks in it. */
async function roomFor(queue: Queue): Promise<{ room: number; full: string[] }> {
  const waiting = await queue.countWaiting("execute", 2 * maxQueueLength);
  if (waiting < maxQueueLength) return { room: maxQueueLength - waiting, full: [] };
  return { room: 2 * maxQueueLength - waiting, full: await queue.ownersWaiting("execute", maxPerAccount) };
}

/** Claims one batch of jobs and queues their tasks. */
export async function claimBatch(
  queue: Queue,
  tx: Database,
  limit: number,
  pass: DuePass = { from: null },
  exceptAccounts: string[] = [],
): Promise<Claim[]> {
  const { now, claims: found } = await claimDue(tx, limit, pass, exceptAccounts);
  await advanceRuns(tx, found);
  const claims = found.filter(({ isOver }) => !isOver);
  pass.turns ??= new Map();
  const { turns } = pass;
  const several = [...Map.groupBy(claims, ({ account_id }) => account_id).values()].filter(
    (group) => group.length > 1,
  );
  const weights = await readTurnWeights(
    tx,
    several.flat().map(({ id }) => id),
  );
  const tasks = claims.map(({ id, account_id: owner, host: place }) => {
    const at = turns.get(owner) ?? 0;
    const weight = weights.get(id);
    turns.set(owner, at + (weight ? share(weight) : 1));
    return { data: { jobId: id }, singletonKey: id, priority: turnPriority(now, at), owner, place };
  });
  await queue.sendMany(tx, "execute", tasks);
  return found;
}

/** Log lines for missed and merged checks, so that every due check leaves a trace. */
function logLinesOf({ missed, busy, isOver }: Claim): LogLine[] {
  const lines: LogLine[] = [];
  if (missed > 0) {
    const meta = missed === 1 ? "A check was missed" : `${missed} checks were missed`;
    lines.push({ level: "warn", meta: `${meta} while nothing ran` });
  }
  if (busy && !isOver)
    lines.push({
      level: "warn",
      meta: "The previous check was still running, so this one was merged with it",
    });
  return lines;
}

async function notifyWatchers(db: Database, claims: Claim[]): Promise<void> {
  const byAccount = Map.groupBy(claims, (claim) => claim.account_id);
  for (const accountId of await findWatchedAccounts(db, [...byAccount.keys()])) {
    const jobs = byAccount.get(accountId) ?? [];
    await emitEvents(
      db,
      accountId,
      jobs.map(({ id }) => ({ kind: "queued", jobId: id })),
    );
  }
}
