import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents, watchedAmong } from "#storage/events.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import { type Claim, claimDue, type Pass, weighJobs } from "#storage/schedule.ts";
import { share, turn } from "./enqueue.ts";
import { followTimetables } from "./keep-timetables.ts";

const longestQueue = 5000;
const longestOfAccount = 500;

/** A pass over the due jobs, and how far each account's turn has moved in it. */
export type DuePass = Pass & { turns?: Map<string, number> };

/** Claims jobs that are due and queues their captures, in one transaction; answers how many. */
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
  // Not in the claim: whoever records has the job locked, and waits for what a claim holds.
  for (const claim of claims) await insertLogs(deps.db, claim.id, linesOf(claim));
  await tellWatchers(
    deps.db,
    claims.filter(({ isOver }) => !isOver),
  );
  return claims.length;
}

/** In a full queue there is room left for accounts that do not fill it. */
async function roomFor(queue: Queue): Promise<{ room: number; full: string[] }> {
  const waiting = await queue.countWaiting("execute", 2 * longestQueue);
  if (waiting < longestQueue) return { room: longestQueue - waiting, full: [] };
  return { room: 2 * longestQueue - waiting, full: await queue.ownersWaiting("execute", longestOfAccount) };
}

/** One batch of claims with its tasks. */
export async function claimBatch(
  queue: Queue,
  tx: Database,
  limit: number,
  pass: DuePass = { from: null },
  exceptAccounts: string[] = [],
): Promise<Claim[]> {
  const { now, claims: found } = await claimDue(tx, limit, pass, exceptAccounts);
  await followTimetables(tx, found);
  const claims = found.filter(({ isOver }) => !isOver);
  pass.turns ??= new Map();
  const { turns } = pass;
  const several = [...Map.groupBy(claims, ({ account_id }) => account_id).values()].filter(
    (group) => group.length > 1,
  );
  const weights = await weighJobs(
    tx,
    several.flat().map(({ id }) => id),
  );
  const tasks = claims.map(({ id, account_id: owner, host: place }) => {
    const at = turns.get(owner) ?? 0;
    const weight = weights.get(id);
    turns.set(owner, at + (weight ? share(weight) : 1));
    return { data: { jobId: id }, singletonKey: id, priority: turn(now, at), owner, place };
  });
  await queue.sendMany(tx, "execute", tasks);
  return found;
}

/** No due check goes without a trace. */
function linesOf({ missed, busy, isOver }: Claim): LogLine[] {
  const lines: LogLine[] = [];
  if (missed > 0) {
    const meta = missed === 1 ? "A check was missed" : `${missed} checks were missed`;
    lines.push({ level: "warn", meta: `${meta} while nothing ran` });
  }
  if (busy && !isOver)
    lines.push({ level: "warn", meta: "The check before was not over: this one joined it" });
  return lines;
}

async function tellWatchers(db: Database, claims: Claim[]): Promise<void> {
  const byAccount = Map.groupBy(claims, (claim) => claim.account_id);
  for (const accountId of await watchedAmong(db, [...byAccount.keys()])) {
    const jobs = byAccount.get(accountId) ?? [];
    await emitEvents(
      db,
      accountId,
      jobs.map(({ id }) => ({ kind: "queued", jobId: id })),
    );
  }
}
