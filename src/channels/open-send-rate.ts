import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "#storage/database.ts";

/** A caller waits at most this long for its send slot; otherwise it has to come back later. */
const longestWaitMs = 3_000;

/** Assigns send slots through the database, so that all processes together respect a receiver's rate limit. */
export function openSendRate(db: Database) {
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
      const slot = rows[0];
      if (!slot) return 1;
      if (!slot.taken) return Math.max(1, Math.ceil(slot.wait));
      if (slot.wait > 0) await sleep(slot.wait * 1000);
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
