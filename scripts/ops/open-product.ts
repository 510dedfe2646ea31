import type { App } from "#server/app.ts";
import { type Config, readConfig } from "#server/config.ts";
import { createLogger } from "#server/observability/logger.ts";
import { StartError } from "#server/startup/start-error.ts";
import { awaitDatabase, DatabaseProblem } from "#storage/await-database.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { findRunningPostgres } from "#storage/embedded-postgres.ts";
import { doneMigrations, migrationNames } from "#storage/migrations/migrate.ts";

/** Reads the configuration; without DATABASE_URL it uses the database of the product that runs here. */
export async function findProduct(): Promise<Config & { databaseUrl: string }> {
  const config = readConfig(process.env);
  const databaseUrl = config.databaseUrl ?? (await findRunningPostgres(config.dataDir));
  if (!databaseUrl) throw new StartError("Start Watchglass first, or set DATABASE_URL.");
  return { ...config, databaseUrl };
}

/** Composes the product. Loading it takes most of a command's time, so a command that refuses doesn't load it. */
export async function openProduct(config: Config): Promise<App> {
  const { compose } = await import("#server/startup/compose.ts");
  return compose(config, createLogger("silent"));
}

/** Opens the product's resources without starting its work, and without migrating its tables. */
export async function withProduct<T>(use: (app: App) => Promise<T>): Promise<T> {
  const config = await findProduct();
  const behind = await askDatabase(config.databaseUrl, countBehind);
  if (behind > 0)
    throw new StartError(
      `The database is ${behind} migrations behind this version: start Watchglass first, which applies them.`,
    );
  const app = await openProduct(config);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

/** Checks the database before we open anything there; throws one sentence if it can't be used. */
export async function askDatabase<T>(
  connectionString: string,
  ask: (db: Database) => Promise<T>,
): Promise<T> {
  // An operator waits at the terminal, so a missing database is reported soon.
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
