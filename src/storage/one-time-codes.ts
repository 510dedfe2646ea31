import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Takes the code of a period for its key; false if that code, or a later one, was taken already. */
export async function takePeriod(
  db: Database,
  accountId: string,
  fingerprint: Buffer,
  period: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into one_time_codes (account_id, fingerprint, period) values (${accountId}, ${fingerprint}, ${period})
    on conflict (account_id, fingerprint) do update set period = excluded.period
      where one_time_codes.period < excluded.period
    returning period
  `.execute(db);
  return rows.length > 0;
}
