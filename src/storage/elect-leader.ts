import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const retryMs = 2_000;

/**
 * Runs `work` in only one of the processes that share the database; another takes over when this one ends. The signal
 * tells the work to stop: leadership was lost with the connection, or the process ends.
 */
export function electLeader(
  connectionString: string,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  const closing = new AbortController();

  async function leadOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString,
      application_name: `watchglass-${name}`,
      keepAlive: true,
    });
    const lost = new AbortController();
    client.on("error", onError);
    client.on("end", () => lost.abort());
    await client.connect();
    try {
      while (!closing.signal.aborted && !lost.signal.aborted) {
        const { rows } = await client.query<{ led: boolean }>(
          "select pg_try_advisory_lock(hashtextextended($1, 0)) as led",
          [name],
        );
        if (rows[0]?.led) await work(AbortSignal.any([closing.signal, lost.signal]));
        await pause();
      }
    } finally {
      await client.end();
    }
  }
  const pause = () => sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
  const running = (async () => {
    while (!closing.signal.aborted) {
      await leadOnce().catch(onError);
      await pause();
    }
  })();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
