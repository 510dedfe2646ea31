import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { migrate } from "#storage/migrations/migrate.ts";

/** Starts a migrated PostgreSQL that only this run of the scenarios uses. */
export async function startDatabase() {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-scenarios-"));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder);
  await migrate(postgres.connectionString);
  return {
    connectionString: postgres.connectionString,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
