import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openQueue } from "#queue/queue.ts";
import { startEmbeddedPostgres } from "../embedded-postgres.ts";
import { migrate } from "../migrations/migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: string;
    /** A folder for what tests write; it is removed after the run. */
    scratch: string;
  }
}

// Each worker keeps up to three instances of the product running, and some tests start several of their own.
const connections = 500;

/** One PostgreSQL for all database tests; its migrated database is the template that each test file copies. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-test-"));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder, connections);
  await tune(postgres.connectionString);
  await migrate(postgres.connectionString);
  const queue = await openQueue(postgres.connectionString, { supervise: false });
  await queue.close();
  project.provide("postgres", postgres.connectionString);
  project.provide("scratch", folder);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * Saves processor time by turning off what helps only after a crash of the machine or over years. Tests about crashes
 * of the database start their own PostgreSQL.
 */
async function tune(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const settings = [
    "fsync = off",
    "full_page_writes = off",
    "synchronous_commit = off",
    "autovacuum = off",
    "jit = off",
  ];
  for (const setting of settings) await client.query(`alter system set ${setting}`);
  await client.query("select pg_reload_conf()");
  await client.end();
}
