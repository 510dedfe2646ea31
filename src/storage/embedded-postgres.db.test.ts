import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchglass-pg-"));
  await chmod(folder, 0o711);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function query(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const postmaster = async (below = folder) =>
  Number((await readFile(join(below, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);

const socketOf = (connectionString: string) =>
  decodeURIComponent(/host=([^&]+)/.exec(connectionString)?.[1] ?? "");

// One test for both, because creating a database takes longer than the rest.
it("R8 the embedded PostgreSQL has no port and a private socket, and restarts with its data if killed", async () => {
  const postgres = await startEmbeddedPostgres(folder);
  expect(await query(postgres.connectionString, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  const { mode } = await stat(socketOf(postgres.connectionString));
  expect(mode & 0o777).toBe(0o700);
  await query(postgres.connectionString, "create table kept as select 7 as n");
  const pid = await postmaster();
  process.kill(pid, "SIGKILL");
  const read = () => query(postgres.connectionString, "select n from kept").catch(() => "away");
  await expect.poll(read, { interval: 100 }).toEqual([{ n: 7 }]);
  expect(await postmaster()).not.toBe(pid);
  await postgres.stop();
});

it("an interrupted first start, and lock files that name another process, don't prevent the next start", async () => {
  await mkdir(join(folder, "postgres.new"));
  await writeFile(join(folder, "postgres.new/PG_VERSION"), "18\n");
  const first = await startEmbeddedPostgres(folder);
  await first.stop();
  const otherFolder = join(folder, "elsewhere");
  await mkdir(otherFolder);
  const otherPostgres = await startEmbeddedPostgres(otherFolder);
  const pid = await postmaster(otherFolder);
  await writeFile(join(folder, "postgres/postmaster.pid"), `${pid}\n`);
  const socket = socketOf(first.connectionString);
  await mkdir(socket, { mode: 0o700 });
  await writeFile(join(socket, ".s.PGSQL.5432.lock"), `${pid}\n`);
  const second = await startEmbeddedPostgres(folder);
  expect(await query(second.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  expect(await query(otherPostgres.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  await Promise.all([second.stop(), otherPostgres.stop()]);
});
