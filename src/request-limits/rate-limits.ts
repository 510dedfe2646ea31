import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "#storage/database.ts";

/** Keys are hashed, because they contain addresses, which must not be stored in plain text. */
function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** Counts one use. Returns the seconds to wait if the limit is exceeded, otherwise 0. */
export async function countUse(
  db: Database,
  key: string,
  limit: { uses: number; windowSeconds: number },
): Promise<number> {
  const windowEnd = sql<Date>`now() + make_interval(secs => ${limit.windowSeconds})`;
  const expired = sql<boolean>`rate_limits.window_ends_at <= now()`;
  const row = await db
    .insertInto("rate_limits")
    .values({ key: hashKey(key), window_ends_at: windowEnd, used: 1 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        used: sql`case when ${expired} then 1 else rate_limits.used + 1 end`,
        window_ends_at: sql`case when ${expired} then excluded.window_ends_at else rate_limits.window_ends_at end`,
      }),
    )
    .returning(["used", sql<number>`ceil(extract(epoch from window_ends_at - now()))::int`.as("seconds")])
    .executeTakeFirstOrThrow();
  return row.used > limit.uses ? Math.max(1, row.seconds) : 0;
}

export async function resetUses(db: Database, key: string): Promise<void> {
  await db.deleteFrom("rate_limits").where("key", "=", hashKey(key)).execute();
}
