import type { PgBoss } from "pg-boss";
import type { QueueWorker } from "./open-worker.ts";

/** SQL for the name of pg-boss's notification channel, which announces each new task that can begin by its queue. */
export const channel = "('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24))";

/** Wakes workers, immediately for announced tasks and on time for deferred ones, and sends heartbeats. */
export function startWaking(
  boss: PgBoss,
  workers: Map<string, QueueWorker>,
  { pollSeconds, onError }: { pollSeconds: number; onError: (error: Error) => void },
): { stop: () => void } {
  const timers = new Set<NodeJS.Timeout>();
  const db = boss.getDb();
  let listening: { close(): Promise<void> } | undefined;
  let stopped = false;
  const fillAll = () => {
    for (const worker of workers.values()) worker.fill();
  };
  const listen = async () => {
    const { rows } = await db.executeSql(`select ${channel} as name`);
    listening = await db.listen?.(rows[0].name, (queue) => workers.get(queue)?.fill(), fillAll);
    if (stopped) await listening?.close();
  };
  listen().catch(onError);

  async function poll(): Promise<void> {
    const { rows } = await db.executeSql(
      `select name, bool_or(start_after <= now()) as ready,
         extract(epoch from min(start_after) filter (where start_after > now()) - now())::float8 as seconds
       from pgboss.job where name = any($1) and state < 'active' and not blocked group by name`,
      [[...workers.keys()]],
    );
    for (const { name, ready, seconds } of rows) {
      if (ready) workers.get(name)?.fill();
      if (seconds === null || seconds > pollSeconds) continue;
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          workers.get(name)?.fill();
        },
        seconds * 1000 + 1,
      );
      timers.add(timer);
    }
  }
  const repeat = (everyMs: number, work: () => Promise<unknown>) => {
    const next = () => {
      if (stopped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        work().catch(onError).finally(next);
      }, everyMs);
      timers.add(timer);
    };
    next();
  };
  repeat(pollSeconds * 1000, async () => workers.size > 0 && poll());
  repeat(3000, () => Promise.all([...workers.values()].map((worker) => worker.touch())));
  return {
    stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      // Its connection may already be closed.
      listening?.close().catch(onError);
    },
  };
}
