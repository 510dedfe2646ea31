import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { prepareFrequentQueries } from "./prepared-statements.ts";
import type { Schema } from "./schema.ts";
import { StorableText } from "./storable-text.ts";

export type Database = Kysely<Schema>;
export type OpenDatabase = {
  db: Database;
  connectionString: string;
  /** How many connections are open and idle, and how many callers wait for one. */
  pool: () => { total: number; idle: number; waiting: number };
  close: () => Promise<void>;
};

/** Opens a pool; a lost connection is reported and replaced, never thrown into the process. */
export function openDatabase(
  connectionString: string,
  options: {
    max?: number;
    statementTimeoutMs?: number;
    lockTimeoutMs?: number;
    onError?: (error: Error) => void;
  } = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    connectionTimeoutMillis: 10_000,
    // Set by a statement, because PgBouncer refuses these as parameters of a connection's start.
    async onConnect(client) {
      await client.query(
        `set statement_timeout = ${options.statementTimeoutMs ?? 5_000}; set lock_timeout = ${options.lockTimeoutMs ?? 0}`,
      );
    },
    application_name: "watchglass",
    types: { getTypeParser: typeParser },
  });
  const prepare = prepareFrequentQueries();
  // Each connection has its own listener: the pool only reports errors of idle connections, and an unhandled error ends
  // the process.
  pool.on("connect", (client) => {
    client.on("error", (error) => options.onError?.(error));
    prepare(client);
  });
  pool.on("error", () => undefined);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new StorableText()] });
  const counts = () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
  return { db, connectionString, pool: counts, close: () => db.destroy() };
}

/** Counts and sizes are bigint, and far below 2^53. */
const typeParser: typeof pg.types.getTypeParser = (oid, format) =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);

/**
 * Lets a transaction commit before it is on disk. A crash of the database may undo it as a whole, so use it only for
 * work that would then be done again.
 */
export async function allowAsyncCommit(tx: Database): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx);
}
