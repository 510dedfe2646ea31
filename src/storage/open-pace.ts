import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Longer than this nobody waits for a turn: it is left for later. */
const longestWaitMs = 3_000;

/** Hands out turns by the database, so that all processes together keep a receiver's limits. */
export function openPace(db: Database) {
  return {
    async take(key: string, everyMs: number): Promise<number> {
      const every = sql`make_interval(secs => ${everyMs / 1000}::float8)`;
      const { rows } = await sql<{ wait: number; taken: boolean }>`
        with taken as (
          insert into send_turns as turn (key, next_at) values (${key}, now() + ${every})
          on conflict (key) do update set next_at = greatest(turn.next_at, now()) + ${every}
            where turn.next_at < now() + make_interval(secs => ${longestWaitMs / 1000}::float8)
          returning next_at - ${every} as at
        )
        select extract(epoch from at - now())::float8 as wait, true as taken from taken
        union all
        select extract(epoch from next_at - now())::float8, false from send_turns
        where key = ${key} and not exists (select from taken)
      `.execute(db);
      const turn = rows[0];
      if (!turn) return 1;
      if (!turn.taken) return Math.max(1, Math.ceil(turn.wait));
      if (turn.wait > 0) await sleep(turn.wait * 1000);
      return 0;
    },
    async pause(key: string, seconds: number): Promise<void> {
      const until = sql<Date>`now() + make_interval(secs => ${seconds}::float8)`;
      await db
        .insertInto("send_turns")
        .values({ key, next_at: until })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet({ next_at: sql`greatest(send_turns.next_at, excluded.next_at)` }),
        )
        .execute();
    },
  };
}

/** Turns that were taken and updates that Telegram no longer repeats need no memory. */
export async function deleteOldTurns(db: Database): Promise<void> {
  await sql`delete from send_turns where next_at < now() - interval '1 hour'`.execute(db);
  await sql`delete from telegram_updates where seen_at < now() - interval '3 days'`.execute(db);
}
