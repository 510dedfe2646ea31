import { readConfig } from "#server/config.ts";
import { StartError } from "#server/startup/start-error.ts";
import { hasAccounts } from "#storage/accounts.ts";
import { backUp, readManifest, restore } from "#storage/backup/backup.ts";
import { listProcesses, recordBackup } from "#storage/figures.ts";
import { migrationNames } from "#storage/migrations/migrate.ts";
import { askDatabase, openProduct, withProduct } from "./open-product.ts";

const printStep = (sentence: string) => console.log(`  ${sentence}`);

export async function backup([folder = ""]: string[]): Promise<boolean> {
  if (!folder) throw new StartError("npm run ops -- backup FOLDER");
  return withProduct(async ({ connectionString, db, jobs: { blobs, secrets } }) => {
    const {
      tables,
      blobs: captureCount,
      lost,
    } = await backUp({ connectionString, blobs, keyId: secrets.keyId }, folder, printStep);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`${rows} rows and ${captureCount} captures are in ${folder}.`);
    console.log(
      "Store DATA_KEY (or DATA_DIR/data-key) separately: without it, channels and headers can’t be decrypted.",
    );
    await recordBackup(db);
    if (lost > 0)
      console.error(
        `${lost === 1 ? "1 capture that the history shows is" : `${lost} captures that the history shows are`} missing or altered in the store, so the backup lacks ${lost === 1 ? "it" : "them"}; everything else is in it.`,
      );
    return lost === 0;
  });
}

/** For operators who back up by other means, so that the age of the last backup is known. */
export async function noteBackup(): Promise<boolean> {
  return withProduct(async ({ db }) => {
    await recordBackup(db);
    console.log("Recorded: a backup was made just now.");
    return true;
  });
}

/** Restores into a stopped, empty installation of the version that made the backup. */
export async function restoreBackup([folder = ""]: string[]): Promise<boolean> {
  if (!folder) throw new StartError("npm run ops -- restore FOLDER");
  const manifest = await readManifest(folder).catch(() => {
    throw new StartError(`${folder} isn’t a backup: it has no readable manifest.json.`);
  });
  if (manifest.migrations.join() !== migrationNames().join())
    throw new StartError(
      "This backup was made by another version: restore it with that version, then upgrade.",
    );
  const config = readConfig(process.env);
  if (config.databaseUrl && (await askDatabase(config.databaseUrl, listProcesses)).length > 0)
    throw new StartError("Watchglass is running on this database: stop it first.");
  const app = await openProduct(config);
  try {
    if (!app.jobs.secrets.hasKey(manifest.keyId))
      throw new StartError(
        "This backup was encrypted with another DATA_KEY: set that one, or put its data-key file into DATA_DIR.",
      );
    if (await hasAccounts(app.db))
      throw new StartError(
        "This installation already has accounts: a backup can only be restored into an empty one.",
      );
    const problems = await restore(
      { connectionString: app.connectionString, blobs: app.jobs.blobs },
      folder,
      printStep,
    );
    for (const problem of problems) console.error(`${problem}.`);
    if (problems.length > 0) console.error("Nothing was restored.");
    if (problems.length === 0) console.log("Restored; every row and capture compares equal.");
    return problems.length === 0;
  } finally {
    await app.close();
  }
}
