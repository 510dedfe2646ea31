import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Database, openDatabase } from "../database.ts";

const folder = import.meta.dirname;
/** PostgreSQL's codes for a lock that did not come in time, and for a deadlock that it ended at our expense. */
const passing = ["55P03", "40P01"];
const maxAttempts = 60;
const pauseMs = 500;
const indexStatement = /^(?:\s|--.*\n)*(create (?:unique )?index concurrently if not exists (\w+)[^;]*)/i;

export const migrationNames = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .map((name) => name.replace(/\.sql$/, ""))
    .sort();

/**
 * Brings the tables to the newest version. Any number of processes may call it at once: each migration is done by one
 * of them, and the others wait. A database that a newer version has migrated is left as it is: two versions run side by
 * side during an upgrade.
 */
export async function migrate(connectionString: string): Promise<void> {
  const { db, close } = openDatabase(connectionString, {
    max: 2,
    statementTimeoutMs: 0,
    lockTimeoutMs: 5_000,
  });
  try {
    const texts = Object.fromEntries(migrationNames().map((name) => [name, textOf(name)]));
    await oneAtATime(db, async () => {
      await addUuidv7(db);
      await addTextSearch(db);
      await runMigrations(db, texts);
    });
    await makeIndexes(db, Object.values(texts));
  } catch (error) {
    throw new Error("The database could not be migrated.", { cause: error });
  } finally {
    await close();
  }
}

/** Runs the action in one process at a time. */
async function oneAtATime(db: Database, action: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (client) => {
    for (;;) {
      // Waiting in PostgreSQL would keep a transaction open, for which the creation of an index would have to wait.
      const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_lock(7341992) as is`.execute(client);
      if (rows[0]?.is) break;
      await sleep(100);
    }
    try {
      await action();
    } finally {
      await sql`select pg_advisory_unlock(7341992)`.execute(client);
    }
  });
}

/**
 * Creates the indexes on large tables. Each is the only statement of its file (`create index concurrently if not exists
 * …`). The first process creates them without blocking anybody, after everything else; the others don't wait for it.
 */
export async function makeIndexes(db: Database, texts: string[]): Promise<void> {
  const wanted = texts.flatMap((text) => {
    const [, statement, index] = indexStatement.exec(text) ?? [];
    return statement && index ? [{ statement, index }] : [];
  });
  if (wanted.length === 0) return;
  await db.connection().execute(async (client) => {
    const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_lock(7341993) as is`.execute(client);
    if (!rows[0]?.is) return;
    await sql`set lock_timeout = 0`.execute(client);
    const hasTextSearch = await findTextSearch(client);
    for (const { statement, index } of wanted) {
      if (statement.includes("gin_trgm_ops") && !hasTextSearch) continue;
      const { rows: found } = await sql<{ is_valid: boolean }>`
        select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${index})`.execute(client);
      if (found[0]?.is_valid) continue;
      // An index whose creation was interrupted has to be dropped first.
      if (found[0]) await sql`drop index ${sql.id(index)}`.execute(client);
      await sql.raw(statement).execute(client);
    }
    await sql`select pg_advisory_unlock(7341993)`.execute(client);
  });
}

/**
 * Adds the extensions for the index on texts by account. Where only an administrator may, it is left out: searches then read the
 * newest lines only, and the index is created at the first start after the administrator has added them.
 */
async function addTextSearch(db: Database): Promise<void> {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;
    exception when insufficient_privilege or undefined_file or feature_not_supported or invalid_schema_name then null;
    end $$`.execute(db);
}

async function findTextSearch(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`
    select count(distinct opcname) as found from pg_opclass join pg_am on pg_am.oid = opcmethod
    where amname = 'gin' and opcname in ('gin_trgm_ops', 'uuid_ops') and pg_opclass_is_visible(pg_opclass.oid)`.execute(
    db,
  );
  return rows[0]?.found === 2;
}

const textOf = (name: string) => readFileSync(join(folder, `${name}.sql`), "utf8");

/**
 * Runs the migrations that are to do, each in a transaction of its own, so that its locks are held no longer than it
 * takes. It waits for a lock 5 s at a time, so that nobody queues behind it for longer, and tries again.
 */
export async function runMigrations(db: Database, texts: Record<string, string>): Promise<void> {
  // Kysely's Migrator made this table. It listed all columns before each migration, which took four seconds in all and
  // failed when another process dropped a column at that moment.
  await sql`create table if not exists kysely_migration (
    name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  const names = Object.keys(texts);
  const done = await doneMigrations(db);
  if (done.some((name) => !names.includes(name)) && names.every((name) => done.includes(name))) return;
  for (const name of names.filter((each) => !done.includes(each)))
    await retryLocks(() => runMigration(db, name, texts[name] ?? ""));
}

const runMigration = (db: Database, name: string, text: string) =>
  db.transaction().execute(async (tx) => {
    if (!indexStatement.test(text)) await sql.raw(text).execute(tx);
    await sql`insert into kysely_migration (name, timestamp)
      values (${name}, ${new Date().toISOString()})`.execute(tx);
  });

async function retryLocks(action: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await action();
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (!code || !passing.includes(code) || attempt === maxAttempts) throw error;
      await sleep(pauseMs);
    }
  }
}

/** The migrations that were run, in order; none in an empty database. */
export async function doneMigrations(db: Database): Promise<string[]> {
  const { rows: found } = await sql<{ is: boolean }>`
    select to_regclass('kysely_migration') is not null as is`.execute(db);
  if (!found[0]?.is) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Adds `uuidv7()`, which PostgreSQL has since version 18. Ids sort by creation time, to the microsecond. */
async function addUuidv7(db: Database): Promise<void> {
  await sql`
    do $$ begin
      if to_regprocedure('uuidv7()') is null then
        create function uuidv7() returns uuid language sql volatile parallel safe as $f$
          select encode(
            substring(int8send(us / 1000) from 3)
              || int2send((28672 + us % 1000 * 4096 / 1000)::int2)
              || substring(uuid_send(gen_random_uuid()) from 9),
            'hex')::uuid
          from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as clock
        $f$;
      end if;
    end $$`.execute(db);
}
