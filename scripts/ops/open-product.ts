import type { App } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { type Config, readConfig } from "#server/config.ts";
import { createLogger } from "#server/logger.ts";
import { StartError } from "#server/start-error.ts";
import { runningPostgres } from "#storage/embedded-postgres.ts";

/** The configuration, with the database of the product that runs here where DATABASE_URL names none. */
export async function findProduct(): Promise<Config & { databaseUrl: string }> {
  const config = readConfig(process.env);
  const databaseUrl = config.databaseUrl ?? (await runningPostgres(config.dataDir));
  if (!databaseUrl) throw new StartError("Start Watchglass first, or set DATABASE_URL.");
  return { ...config, databaseUrl };
}

/** What the product has open, without doing any of its work. */
export async function withProduct<T>(use: (app: App) => Promise<T>): Promise<T> {
  const app = await compose(await findProduct(), createLogger("warn"));
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
