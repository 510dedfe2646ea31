import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import type { Schema } from "./schema.ts";
import { StorableText } from "./storable-text.ts";

export type Database = Kysely<Schema>;
export type OpenDatabase = { db: Database; connectionString: string; close: () => Promise<void> };

/** Opens a pool; a lost connection is reported and replaced, never thrown into the process. */
export function openDatabase(
  connectionString: string,
  options: { max?: number; statementTimeoutMs?: number; onError?: (error: Error) => void } = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: options.statementTimeoutMs ?? 5_000,
    application_name: "watchglass",
    types: { getTypeParser: typeParser },
  });
  pool.on("error", (error) => options.onError?.(error));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new StorableText()] });
  return { db, connectionString, close: () => db.destroy() };
}

/** Counts and sizes are bigint, and far below 2^53. */
const typeParser: typeof pg.types.getTypeParser = (oid, format) =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);

/**
 * Lets a transaction be over before it is on disk: a crash of the database may undo it as a whole, so only for what
 * would then be done again.
 */
export async function commitSoon(tx: Database): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx);
}

/** Brings the tables to the newest version; any number of processes may call it at once. */
export async function migrate(connectionString: string): Promise<void> {
  const folder = join(import.meta.dirname, "migrations");
  const migrations: Record<string, Migration> = {};
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".sql"))) {
    const statements = readFileSync(join(folder, file), "utf8");
    migrations[file.replace(/\.sql$/, "")] = {
      up: async (db) => {
        await sql.raw(statements).execute(db);
      },
    };
  }
  const { db, close } = openDatabase(connectionString, { max: 2, statementTimeoutMs: 0 });
  try {
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error) throw new Error("The database could not be migrated.", { cause: error });
  } finally {
    await close();
  }
}
