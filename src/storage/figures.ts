import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Figures of the whole installation. The stored bytes are a sum over all accounts, so they are read less often. */
export async function readFigures(
  db: Database,
  withStored = false,
): Promise<{ lagSeconds: number; tickAgeSeconds: number; storedBytes?: number }> {
  const { rows } = await sql<{ lag: number; tick_age: number }>`
    select
      coalesce((select greatest(0, extract(epoch from now() - min(next_run_at))) from schedules where active), 0)::float8 as lag,
      coalesce((select extract(epoch from now() - ticked_at) from schedule_state), 0)::float8 as tick_age
  `.execute(db);
  const [row] = rows;
  const figures = { lagSeconds: row?.lag ?? 0, tickAgeSeconds: row?.tick_age ?? 0 };
  if (!withStored) return figures;
  const { rows: sums } = await sql<{ bytes: number }>`
    select coalesce(sum(stored_bytes), 0)::bigint as bytes from account_usage`.execute(db);
  return { ...figures, storedBytes: sums[0]?.bytes ?? 0 };
}

export async function recordBackup(db: Database): Promise<void> {
  await sql`
    insert into last_backup (made_at) values (now()) on conflict (id) do update set made_at = excluded.made_at
  `.execute(db);
}

/** When the last backup was complete, in seconds since 1970; 0 if there was none. */
export async function lastBackupAt(db: Database): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select coalesce(max(extract(epoch from made_at)), 0)::float8 as at from last_backup`.execute(db);
  return rows[0]?.at ?? 0;
}

/** How many rows the largest tables have, as estimated by the database. */
export async function countRows(db: Database): Promise<{ table: string; rows: number; bytes: number }[]> {
  const { rows } = await sql<{ table: string; rows: number; bytes: number }>`
    select relname as table, greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by bytes desc limit 8
  `.execute(db);
  return rows;
}

/** How many processes of the product are running, by the address that the database sees; null is its own machine. */
export async function listProcesses(db: Database): Promise<{ address: string | null; count: number }[]> {
  // Each process listens for events on one connection of its own.
  const { rows } = await sql<{ address: string | null; count: number }>`
    select host(client_addr) as address, count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name = 'watchglass-events'
    group by client_addr order by client_addr nulls first
  `.execute(db);
  return rows;
}

/** The database's version, and how far its clock is ahead of ours. */
export async function databaseClock(db: Database): Promise<{ version: string; aheadMs: number }> {
  const began = Date.now();
  const { rows } = await sql<{ version: string; at: Date }>`
    select current_setting('server_version') as version, clock_timestamp() as at`.execute(db);
  const aheadMs = (rows[0]?.at.getTime() ?? 0) - (began + Date.now()) / 2;
  return { version: rows[0]?.version.split(" ")[0] ?? "", aheadMs };
}
