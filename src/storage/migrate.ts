import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { type Database, openDatabase } from "./database.ts";

const folder = join(import.meta.dirname, "migrations");
const lockTimeout = "55P03";
const attempts = 60;
const indexAlone = /^(?:\s|--.*\n)*(create (?:unique )?index concurrently if not exists (\w+)[^;]*)/i;

export const migrationNames = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .map((name) => name.replace(/\.sql$/, ""))
    .sort();

/**
 * Brings the tables to the newest version. Any number of processes may call it at once: one does it, the others wait. A
 * lock on a busy table is waited for 5 s at a time, so that nobody queues behind us for longer. A database that a newer
 * version has migrated is left as it is: two versions run side by side during an upgrade.
 */
export async function migrate(connectionString: string): Promise<void> {
  const { db, close } = openDatabase(connectionString, {
    max: 2,
    statementTimeoutMs: 0,
    lockTimeoutMs: 5_000,
  });
  try {
    await addUuidv7(db);
    for (let attempt = 1; ; attempt++) {
      const error = await migrateOnce(db);
      if (!error) break;
      if ((error as { code?: unknown }).code !== lockTimeout || attempt === attempts) throw error;
      await sleep(500);
    }
    await makeIndexes(
      db,
      migrationNames().map((name) => textOf(name)),
    );
  } catch (error) {
    throw new Error("The database could not be migrated.", { cause: error });
  } finally {
    await close();
  }
}

/**
 * An index on a large table is the one statement of its file (`create index concurrently if not exists …`). It is made
 * beside everybody's work, when all else is done, by whoever comes first; the others go on without it.
 */
export async function makeIndexes(db: Database, texts: string[]): Promise<void> {
  const wanted = texts.flatMap((text) => {
    const [, statement, index] = indexAlone.exec(text) ?? [];
    return statement && index ? [{ statement, index }] : [];
  });
  if (wanted.length === 0) return;
  await db.connection().execute(async (one) => {
    const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_lock(7341993) as is`.execute(one);
    if (!rows[0]?.is) return;
    await sql`set lock_timeout = 0`.execute(one);
    for (const { statement, index } of wanted) {
      const { rows: found } = await sql<{ is_valid: boolean }>`
        select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${index})`.execute(one);
      if (found[0]?.is_valid) continue;
      // One that was broken off stands in the way.
      if (found[0]) await sql`drop index ${sql.id(index)}`.execute(one);
      await sql.raw(statement).execute(one);
    }
    await sql`select pg_advisory_unlock(7341993)`.execute(one);
  });
}

const textOf = (name: string) => readFileSync(join(folder, `${name}.sql`), "utf8");

async function migrateOnce(db: Database): Promise<unknown> {
  const names = migrationNames();
  const done = await doneMigrations(db);
  if (done.some((name) => !names.includes(name)) && names.every((name) => done.includes(name)))
    return undefined;
  const migrations: Record<string, Migration> = {};
  for (const name of names) {
    const statements = textOf(name);
    migrations[name] = {
      up: async (tx) => {
        if (!indexAlone.test(statements)) await sql.raw(statements).execute(tx);
      },
    };
  }
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest();
  return error;
}

/** What was migrated, in order; nothing in an empty database. */
export async function doneMigrations(db: Database): Promise<string[]> {
  const { rows: found } = await sql<{ is: boolean }>`
    select to_regclass('kysely_migration') is not null as is`.execute(db);
  if (!found[0]?.is) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** PostgreSQL has it from 18 on. Ids are in the order of their making, to the microsecond. */
async function addUuidv7(db: Database): Promise<void> {
  await sql`
    do $$ begin
      perform pg_advisory_xact_lock(7341992);
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
