import pg from "pg";
import { inBatches } from "./in-batches.ts";

/** So many at a time for a host, over all processes that share the database. */
export type HostSlots = {
  /** Answers how to give the slot back, or undefined when all are taken; `owner` is whose it is. */
  take(host: string, owner?: string): Promise<(() => void) | undefined>;
  close(): Promise<void>;
};

/** Opens the slots: advisory locks of one session, so that a killed process gives its own back. */
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
    await ask(
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

  /** What is given back goes with the next that is taken, or by itself soon after. */
  let given: Slot[] = [];
  let soon: NodeJS.Timeout | undefined;
  const giveBack = (slot: Slot) => {
    given.push(slot);
    soon ??= setTimeout(() => void say(undefined).catch(onError), 20);
  };
  const say = inBatches<Slot | undefined, boolean>(async (wanted) => {
    const back = given;
    given = [];
    clearTimeout(soon);
    soon = undefined;
    const asked = await client();
    try {
      const answers = await ask(asked, [...back, ...wanted.filter((slot) => slot !== undefined)]);
      const taken = answers.slice(back.length).values();
      return wanted.map((slot) => slot !== undefined && taken.next().value === true);
    } catch (error) {
      // Nobody knows which of them it has: with the session all are given back.
      session = undefined;
      await asked.end().catch(() => undefined);
      throw error;
    }
  });

  return {
    async take(host) {
      for (let slot = 0; slot < widthOf(host); slot++) {
        const key = `${slot}:${host}`;
        // A session may take its own lock again, so the process keeps count itself.
        if (held.has(key)) continue;
        const place = { host, slot, isTaken: false };
        held.set(key, place);
        try {
          if (await say({ host, slot, take: true })) {
            place.isTaken = true;
            return () => {
              held.delete(key);
              giveBack({ host, slot, take: false });
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
      clearTimeout(soon);
      await (await session?.catch(() => undefined))?.end();
    },
  };
}

type Slot = { host: string; slot: number; take: boolean };

/** Takes slots and gives others back, in this order; answers of each whether it was free, or taken. */
async function ask(client: pg.Client, slots: Slot[]): Promise<boolean[]> {
  const { rows } = await client.query<{ done: boolean }>(
    `select case when take then pg_try_advisory_lock(key) else pg_advisory_unlock(key) end as done
     from (select take, hashtextextended(host, slot) as key
       from unnest($1::text[], $2::bigint[], $3::boolean[]) with ordinality as slot (host, slot, take, position)
       order by position offset 0) as slots`,
    [slots.map(({ host }) => host), slots.map(({ slot }) => slot), slots.map(({ take }) => take)],
  );
  return rows.map(({ done }) => done);
}
