import { compose } from "#server/compose.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/logger.ts";
import { StartError } from "#server/start-error.ts";
import { hasAccounts } from "#storage/accounts.ts";
import { backUp, readManifest, restore } from "#storage/backup.ts";
import { listProcesses } from "#storage/figures.ts";
import { migrationNames } from "#storage/migrate.ts";
import { askDatabase, withProduct } from "./open-product.ts";

const say = (sentence: string) => console.log(`  ${sentence}`);

export async function backup([folder = ""]: string[]): Promise<boolean> {
  if (!folder) throw new StartError("npm run ops -- backup FOLDER");
  return withProduct(async ({ connectionString, jobs: { blobs, secrets } }) => {
    const { tables, blobs: kept } = await backUp(
      { connectionString, blobs, keyId: secrets.keyId },
      folder,
      say,
    );
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`${rows} rows and ${kept} captures are in ${folder}.`);
    console.log("Keep DATA_KEY (or DATA_DIR/data-key) apart from it: channels and headers are sealed by it.");
    return true;
  });
}

/** Into an installation that is stopped and empty, of the version that the backup was made by. */
export async function restoreBackup([folder = ""]: string[]): Promise<boolean> {
  if (!folder) throw new StartError("npm run ops -- restore FOLDER");
  const manifest = await readManifest(folder).catch(() => {
    throw new StartError(`${folder} holds no backup: there is no manifest.json that can be read.`);
  });
  if (manifest.migrations.join() !== migrationNames().join())
    throw new StartError("This backup was made by another version: restore it by that one, then upgrade.");
  const config = readConfig(process.env);
  if (config.databaseUrl && (await askDatabase(config.databaseUrl, listProcesses)).length > 0)
    throw new StartError("Watchglass runs on this database: stop it first.");
  const app = await compose(config, createLogger("silent"));
  try {
    if (!app.jobs.secrets.hasKey(manifest.keyId))
      throw new StartError(
        "DATA_KEY is not the one that this backup was sealed by: set it, or put data-key in DATA_DIR.",
      );
    if (await hasAccounts(app.db))
      throw new StartError("This installation has accounts: a backup is restored into an empty one only.");
    const problems = await restore(
      { connectionString: app.connectionString, blobs: app.jobs.blobs },
      folder,
      say,
    );
    for (const problem of problems) console.error(`${problem}.`);
    if (problems.length > 0) console.error("Nothing was restored.");
    if (problems.length === 0) console.log("Restored; every row and capture compares equal.");
    return problems.length === 0;
  } finally {
    await app.close();
  }
}
