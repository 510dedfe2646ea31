import pLimit from "p-limit";
import pg from "pg";

/** So many at a time for a host, over all processes that share the database. */
export type HostSlots = {
  /** Answers how to give the slot back, or undefined when all are taken. */
  take(host: string): Promise<(() => Promise<void>) | undefined>;
  close(): Promise<void>;
};

/** Opens the slots: advisory locks of one session, so that a killed process gives its own back. */
export function openHostSlots(
  connectionString: string,
  onError: (error: Error) => void,
  widthOf: (host: string) => number = () => 2,
): HostSlots {
  const held = new Map<string, { host: string; slot: number }>();
  let session: Promise<pg.Client> | undefined;
  const inTurn = pLimit(1);

  const connect = async () => {
    const client = new pg.Client({
      connectionString,
      application_name: "watchglass-slots",
      statement_timeout: 5000,
    });
    client.on("error", (error) => {
      session = undefined;
      onError(error);
    });
    client.on("end", () => {
      session = undefined;
    });
    await client.connect();
    // What was held when the last session broke is still in use.
    for (const { host, slot } of held.values()) await lock(client, host, slot);
    return client;
  };
  const client = () => {
    session ??= connect();
    session.catch(() => {
      session = undefined;
    });
    return session;
  };

  return {
    async take(host) {
      for (let slot = 0; slot < widthOf(host); slot++) {
        const key = `${slot}:${host}`;
        // A session may take its own lock again, so the process keeps count itself.
        if (held.has(key)) continue;
        held.set(key, { host, slot });
        try {
          if (await inTurn(async () => lock(await client(), host, slot))) {
            return async () => {
              held.delete(key);
              await inTurn(async () =>
                (await client()).query("select pg_advisory_unlock(hashtextextended($1, $2))", [host, slot]),
              ).catch(onError);
            };
          }
        } catch (error) {
          held.delete(key);
          throw error;
        }
        held.delete(key);
      }
      return undefined;
    },
    async close() {
      await (await session?.catch(() => undefined))?.end();
    },
  };
}

async function lock(client: pg.Client, host: string, slot: number): Promise<boolean> {
  const { rows } = await client.query("select pg_try_advisory_lock(hashtextextended($1, $2)) as taken", [
    host,
    slot,
  ]);
  return rows[0].taken;
}
