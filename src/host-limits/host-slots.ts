import pg from "pg";
import { inBatches } from "#storage/in-batches.ts";

/** Limits how many checks use a host at once, across all processes that share the database. */
export type HostSlots = {
  /** Returns a function that releases the slot, or undefined if all are taken; `owner` is the account that uses it. */
  take(host: string, owner?: string): Promise<(() => void) | undefined>;
  close(): Promise<void>;
};

/** Opens the host slots. They are advisory locks of one session, so that a killed process releases its own. */
export function openHostSlots(
  connectionString: string,
  onError: (error: Error) => void,
  widthOf: (host: string) => number = () => 2,
): HostSlots {
  const held = new Map<string, { host: string; slot: number; isTaken: boolean }>();
  let session: Promise<pg.Client> | undefined;

  const connect = async () => {
    const client = new pg.Client({
      connectionString,
      application_name: "watchglass-slots",
    });
    client.on("error", (error) => {
      session = undefined;
      onError(error);
    });
    client.on("end", () => {
      session = undefined;
    });
    await client.connect();
    await client.query("set statement_timeout = 5000");
    // Slots that were held when the last session broke are still in use.
    await changeSlots(
      client,
      [...held.values()].filter(({ isTaken }) => isTaken).map((slot) => ({ ...slot, take: true })),
    );
    return client;
  };
  const client = () => {
    session ??= connect();
    session.catch(() => {
      session = undefined;
    });
    return session;
  };

  /** Releases are batched with the next acquire, or sent on their own after 20 ms. */
  let released: Slot[] = [];
  let releaseTimer: NodeJS.Timeout | undefined;
  const releaseSlot = (slot: Slot) => {
    released.push(slot);
    releaseTimer ??= setTimeout(() => void sendBatch(undefined).catch(onError), 20);
  };
  const sendBatch = inBatches<Slot | undefined, boolean>(async (wanted) => {
    const releasing = released;
    released = [];
    clearTimeout(releaseTimer);
    releaseTimer = undefined;
    const connection = await client();
    try {
      const answers = await changeSlots(connection, [
        ...releasing,
        ...wanted.filter((slot) => slot !== undefined),
      ]);
      const taken = answers.slice(releasing.length).values();
      return wanted.map((slot) => slot !== undefined && taken.next().value === true);
    } catch (error) {
      // It is unknown which slots the session holds; ending it releases all of them.
      session = undefined;
      await connection.end().catch(() => undefined);
      throw error;
    }
  });

  return {
    async take(host) {
      for (let slot = 0; slot < widthOf(host); slot++) {
        const key = `${slot}:${host}`;
        // A session can take its own lock again, so the process keeps track itself.
        if (held.has(key)) continue;
        const entry = { host, slot, isTaken: false };
        held.set(key, entry);
        try {
          if (await sendBatch({ host, slot, take: true })) {
            entry.isTaken = true;
            return () => {
              held.delete(key);
              releaseSlot({ host, slot, take: false });
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
      clearTimeout(releaseTimer);
      await (await session?.catch(() => undefined))?.end();
    },
  };
}

type Slot = { host: string; slot: number; take: boolean };

/** Takes and releases slots in their order; returns for each whether it was free, or held. */
async function changeSlots(client: pg.Client, slots: Slot[]): Promise<boolean[]> {
  const { rows } = await client.query<{ done: boolean }>(
    `select case when take then pg_try_advisory_lock(key) else pg_advisory_unlock(key) end as done
     from (select take, hashtextextended(host, slot) as key
       from unnest($1::text[], $2::bigint[], $3::boolean[]) with ordinality as slot (host, slot, take, position)
       order by position offset 0) as slots`,
    [slots.map(({ host }) => host), slots.map(({ slot }) => slot), slots.map(({ take }) => take)],
  );
  return rows.map(({ done }) => done);
}
