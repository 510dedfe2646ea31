import { sql } from "kysely";
import type { Snapshot } from "#contract/capture.ts";
import type { Database } from "#storage/database.ts";
import { parseRetryAfter } from "./parse-retry-after.ts";

const longestPauseSeconds = 24 * 3600;

/** Seconds that a 429 or 503 asks us to wait; null when it asks for none. A 429 without a number means a minute. */
export function retryAfterOf({ status, headers }: Pick<Snapshot, "status" | "headers">): number | null {
  if (status !== 429 && status !== 503) return null;
  const value = headers.find(([name]) => name === "retry-after")?.[1];
  const date = headers.find(([name]) => name === "date")?.[1];
  if (value === undefined) return status === 429 ? 60 : null;
  const seconds = parseRetryAfter(value, date ? new Date(date) : new Date());
  return seconds === undefined ? 60 : Math.min(seconds, longestPauseSeconds);
}

const maxSharedPauseSeconds = 120;

/**
 * Pauses a host: for the account that made too many requests, as long as the host asks; for all, at most 120 s. An
 * account's exit can answer in the name of any host, so that what came through one pauses only its account.
 */
export async function pauseHost(
  db: Database,
  accountId: string,
  host: string,
  { seconds, isThroughProxy }: { seconds: number; isThroughProxy: boolean },
): Promise<void> {
  const sharedSeconds = isThroughProxy ? 0 : Math.min(seconds, maxSharedPauseSeconds);
  await sql`
    with own as (
      insert into account_pauses (account_id, host, until)
      values (${accountId}, ${host}, now() + ${seconds} * interval '1 second')
      on conflict (account_id, host) do update set until = greatest(account_pauses.until, excluded.until)
    )
    insert into host_pauses (host, until)
    select ${host}, now() + ${sharedSeconds} * interval '1 second' where ${sharedSeconds}::int > 0
    on conflict (host) do update set until = greatest(host_pauses.until, excluded.until)
  `.execute(db);
}
