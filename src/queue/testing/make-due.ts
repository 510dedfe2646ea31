import { type RawBuilder, sql } from "kysely";
import type { Database } from "#storage/database.ts";
import { channel } from "../wake-workers.ts";

/** Makes deferred tasks due now, and tells the workers so: otherwise they would notice when they look the next time. */
export async function makeDue(db: Database, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    with due as (
      update pgboss.job set start_after = now()
      where state < 'active' and start_after > now() and ${which}
      returning name
    )
    select pg_notify(${sql.raw(channel)}, name) from (select distinct name from due) as names`.execute(db);
}
