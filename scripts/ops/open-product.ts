import type { App } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { type Config, readConfig } from "#server/config.ts";
import { createLogger } from "#server/logger.ts";
import { StartError } from "#server/start-error.ts";
import { awaitDatabase, DatabaseProblem } from "#storage/await-database.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { runningPostgres } from "#storage/embedded-postgres.ts";
import { doneMigrations, migrationNames } from "#storage/migrate.ts";

/** The configuration, with the database of the product that runs here where DATABASE_URL names none. */
export async function findProduct(): Promise<Config & { databaseUrl: string }> {
  const config = readConfig(process.env);
  const databaseUrl = config.databaseUrl ?? (await runningPostgres(config.dataDir));
  if (!databaseUrl) throw new StartError("Start Watchglass first, or set DATABASE_URL.");
  return { ...config, databaseUrl };
}

/** What the product has open, without doing any of its work: its tables are left as they are. */
export async function withProduct<T>(use: (app: App) => Promise<T>): Promise<T> {
  const config = await findProduct();
  const behind = await askDatabase(config.databaseUrl, countBehind);
  if (behind > 0)
    throw new StartError(
      `The database is ${behind} migrations behind this version: start Watchglass first, which does them.`,
    );
  const app = await compose(config, createLogger("silent"));
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

/** Asks the database before anything of ours is opened there; a sentence is thrown where it cannot be used. */
export async function askDatabase<T>(
  connectionString: string,
  ask: (db: Database) => Promise<T>,
): Promise<T> {
  // Somebody waits before a terminal: a database that is away is told soon.
  await awaitDatabase(connectionString, { patienceMs: 5_000 }).catch((error: unknown) => {
    throw error instanceof DatabaseProblem ? new StartError(error.message) : error;
  });
  const { db, close } = openDatabase(connectionString, { max: 1 });
  try {
    return await ask(db);
  } finally {
    await close();
  }
}

async function countBehind(db: Database): Promise<number> {
  const done = await doneMigrations(db);
  return migrationNames().filter((name) => !done.includes(name)).length;
}
