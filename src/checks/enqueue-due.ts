import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents, watchedAmong } from "#storage/events.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import { type Claim, claimDue, type Pass } from "#storage/schedule.ts";
import { turn } from "./enqueue.ts";

const longestQueue = 5000;

/** Claims jobs that are due and queues their captures, in one transaction; answers how many. */
export async function enqueueDue(
  deps: { db: Database; queue: Queue },
  limit: number,
  pass?: Pass,
): Promise<number> {
  const room = longestQueue - (await deps.queue.countWaiting("execute", longestQueue));
  if (room <= 0) return 0;
  const claims = await deps.db
    .transaction()
    .execute((tx) => claimBatch(deps.queue, tx, Math.min(room, limit), pass));
  // Not in the claim: whoever records has the job locked, and waits for what a claim holds.
  for (const claim of claims) await insertLogs(deps.db, claim.id, linesOf(claim));
  await tellWatchers(deps.db, claims);
  return claims.length;
}

/** One batch of claims with its tasks. */
export async function claimBatch(queue: Queue, tx: Database, limit: number, pass?: Pass): Promise<Claim[]> {
  const { now, claims } = await claimDue(tx, limit, pass);
  const places = new Map<string, number>();
  const tasks = claims.map(({ id, account_id }) => {
    const place = places.get(account_id) ?? 0;
    places.set(account_id, place + 1);
    return { data: { jobId: id }, singletonKey: id, priority: turn(now, place) };
  });
  await queue.sendMany(tx, "execute", tasks);
  return claims;
}

/** No due check goes without a trace. */
function linesOf({ missed, busy }: Claim): LogLine[] {
  const lines: LogLine[] = [];
  if (missed > 0) {
    const meta = missed === 1 ? "A check was missed" : `${missed} checks were missed`;
    lines.push({ level: "warn", meta: `${meta} while nothing ran` });
  }
  if (busy) lines.push({ level: "warn", meta: "The check before was not over: this one joined it" });
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
