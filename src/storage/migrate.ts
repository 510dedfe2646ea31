import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { type Database, openDatabase } from "./database.ts";

const folder = join(import.meta.dirname, "migrations");
const lockTimeout = "55P03";
const attempts = 60;

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
      if (!error) return;
      if ((error as { code?: unknown }).code !== lockTimeout || attempt === attempts)
        throw new Error("The database could not be migrated.", { cause: error });
      await sleep(500);
    }
  } finally {
    await close();
  }
}

async function migrateOnce(db: Database): Promise<unknown> {
  const names = migrationNames();
  const done = await doneMigrations(db);
  if (done.some((name) => !names.includes(name)) && names.every((name) => done.includes(name)))
    return undefined;
  const migrations: Record<string, Migration> = {};
  for (const name of names) {
    const statements = readFileSync(join(folder, `${name}.sql`), "utf8");
    migrations[name] = {
      up: async (tx) => {
        await sql.raw(statements).execute(tx);
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
