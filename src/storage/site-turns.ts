import { sql } from "kysely";
import type { Database } from "./database.ts";

type Turn = {
  host: string;
  accountId: string;
  /** The time between two requests of anybody to the host. */
  hostGapMs: number;
  /** The time between two requests of this account to the host. */
  ownGapMs: number;
  patienceMs: number;
};

/**
 * Takes an account's next turn at a host: in its own pace, and not sooner after anybody's turn than the host's pace
 * allows. So one who crawls slowly makes nobody else slow. Returns how long to wait for the turn; one that is further
 * off than `patienceMs`, or after the host's pause, isn't taken.
 */
export async function takeTurn(
  db: Database,
  { host, accountId, hostGapMs, ownGapMs, patienceMs }: Turn,
): Promise<{ isTaken: boolean; waitMs: number }> {
  return db.transaction().execute(async (tx) => {
    // Locks the row, so that two crawls of one account take their turns one after the other.
    const { rows: own } = await sql<{ wait: number }>`
      insert into site_paces (host, account_id, next_at) values (${host}, ${accountId}, now())
      on conflict (host, account_id) do update set next_at = site_paces.next_at
      returning (extract(epoch from next_at - now()) * 1000)::float8 as wait`.execute(tx);
    const ownWaitMs = own[0]?.wait ?? 0;
    // Nothing is reserved at the host before it is used.
    if (ownWaitMs > 1) return { isTaken: false, waitMs: ownWaitMs };
    const { rows } = await sql<{ taken: number | null; wait: number }>`
      with pause as (
        select coalesce(max(until), '-infinity') as until from (
          select until from host_pauses where host = ${host}
          union all select until from account_pauses where host = ${host} and account_id = ${accountId}) as pauses
      ), taken as (
        insert into site_hosts (host, next_at)
        select ${host}, now() + ${hostGapMs} * interval '1 millisecond' from pause where until <= now()
        on conflict (host) do update
          set next_at = greatest(site_hosts.next_at, now()) + ${hostGapMs} * interval '1 millisecond'
          where site_hosts.next_at <= now() + ${patienceMs} * interval '1 millisecond'
        returning extract(epoch from next_at - now()) * 1000 - ${hostGapMs} as wait
      )
      select (select wait::float8 from taken) as taken,
        (extract(epoch from greatest((select until from pause where until > now()),
          (select next_at from site_hosts where host = ${host}), now()) - now()) * 1000)::float8 as wait`.execute(
      tx,
    );
    const { taken = null, wait = 0 } = rows[0] ?? {};
    if (taken === null) return { isTaken: false, waitMs: Math.max(wait, 100) };
    const waitMs = Math.max(taken, 0);
    await sql`update site_paces set next_at = now() + ${waitMs + ownGapMs} * interval '1 millisecond'
      where host = ${host} and account_id = ${accountId}`.execute(tx);
    return { isTaken: true, waitMs };
  });
}
