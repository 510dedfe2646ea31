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

type Running = { connectionString: string; folder: string; stop(): Promise<void> };

// Vitest loads this module once for each project.
const shared = globalThis as { testPostgres?: { running: Promise<Running>; projects: number } };

/** One PostgreSQL for all database tests; its migrated database is the template that each test file copies. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  shared.testPostgres ??= { running: start(), projects: 0 };
  const { testPostgres } = shared;
  testPostgres.projects++;
  const running = await testPostgres.running;
  project.provide("postgres", running.connectionString);
  project.provide("scratch", running.folder);
  return async () => {
    if (--testPostgres.projects > 0) return;
    delete shared.testPostgres;
    await running.stop();
  };
}

async function start(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-test-"));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder, connections);
  const { connectionString } = postgres;
  await tune(connectionString);
  await migrate(connectionString);
  const queue = await openQueue(connectionString, { supervise: false });
  await queue.close();
  return {
    connectionString,
    folder,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
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
