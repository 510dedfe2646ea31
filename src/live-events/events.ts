import { sql } from "kysely";
import type { LiveEvent } from "#contract/job.ts";
import type { Database } from "#storage/database.ts";

export const eventChannel = "watchglass_events";

export type StoredEvent = { number: number; kind: string; data: object };

/** Sends events to an account's open pages. */
export async function emitEvents(db: Database, accountId: string, events: LiveEvent[]): Promise<void> {
  await emitEventsOf(
    db,
    events.map((event) => ({ accountId, event })),
  );
}

/**
 * Sends events to the open pages of several accounts. Numbers are in the order of commits, because an account's row
 * stays locked until then, so a page that has seen a number has seen all before it.
 */
export async function emitEventsOf(
  db: Database,
  events: { accountId: string; event: LiveEvent }[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    with item as materialized (
      select (value ->> 'accountId')::uuid as account_id, value -> 'event' as event,
        row_number() over (partition by value ->> 'accountId' order by position) as place,
        count(*) over (partition by value ->> 'accountId') as count
      from jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as item (value, position)
    ), watched as materialized (
      -- In one order for all, so that two transactions never wait for each other.
      select account_id from account_usage
      where account_id in (select account_id from item) and watched_at > now() - interval '1 day'
      order by account_id for update
    ), counted as (
      update account_usage set events = events + item.count
      from item join watched using (account_id) where item.place = 1 and account_usage.account_id = item.account_id
      returning account_usage.account_id, events - item.count as before
    ), added as (
      insert into events (account_id, number, kind, data)
      select account_id, counted.before + item.place, event ->> 'kind', event - 'kind'
      from counted join item using (account_id)
      returning account_id
    )
    select pg_notify(${eventChannel}, account_id::text) from (select distinct account_id from added) as told
  `.execute(db);
}

/** Events after `after`, oldest first; undefined when some of them are no longer stored. */
export async function listEvents(
  db: Database,
  accountId: string,
  after: number,
): Promise<StoredEvent[] | undefined> {
  // The count is read first: an event that is added after it only makes the list of the second query longer.
  const last = await lastEvent(db, accountId);
  const events = await db
    .selectFrom("events")
    .select(["number", "kind", "data"])
    .where("account_id", "=", accountId)
    .where("number", ">", after)
    .orderBy("number")
    .limit(1000)
    .execute();
  const isWhole = events[0] ? events[0].number === after + 1 : last === after;
  return isWhole ? events : undefined;
}

export async function lastEvent(db: Database, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("account_usage")
    .select("events")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.events ?? 0;
}

/** Which of these accounts have a page open, or had one lately. */
export async function findWatchedAccounts(db: Database, accountIds: string[]): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("account_usage")
    .select("account_id")
    .where("account_id", "in", accountIds)
    .where("watched_at", ">", sql<Date>`now() - interval '1 day'`)
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

/**
 * Events are stored for this account from now on until a day after the last call. A time without stored events counts
 * as one number that no event has, so that a page that was away for so long notices the gap.
 */
export async function watchEvents(db: Database, accountId: string): Promise<void> {
  await sql`
    insert into account_usage (account_id, watched_at) values (${accountId}, now())
    on conflict (account_id) do update set watched_at = now(), events = account_usage.events
      + (coalesce(account_usage.watched_at, '-infinity') < now() - interval '1 day')::integer
  `.execute(db);
}
