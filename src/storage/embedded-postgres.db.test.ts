import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
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

it("R8 comes back by itself when somebody kills it, with what was committed", async () => {
  const postgres = await startEmbeddedPostgres(folder);
  await query(postgres.connectionString, "create table kept as select 7 as n");
  const pid = await postmaster();
  process.kill(pid, "SIGKILL");
  const read = () => query(postgres.connectionString, "select n from kept").catch(() => "away");
  await expect.poll(read, { timeout: 20_000, interval: 100 }).toEqual([{ n: 7 }]);
  expect(await postmaster()).not.toBe(pid);
  await postgres.stop();
});

const socketOf = (connectionString: string) =>
  decodeURIComponent(/host=([^&]+)/.exec(connectionString)?.[1] ?? "");

it("a first start that died half-way, and files that name a stranger, do not stop the next", async () => {
  await mkdir(join(folder, "postgres.new"));
  await writeFile(join(folder, "postgres.new/PG_VERSION"), "18\n");
  const first = await startEmbeddedPostgres(folder);
  await first.stop();
  const elsewhere = join(folder, "elsewhere");
  await mkdir(elsewhere);
  const stranger = await startEmbeddedPostgres(elsewhere);
  const pid = await postmaster(elsewhere);
  await writeFile(join(folder, "postgres/postmaster.pid"), `${pid}\n`);
  const socket = socketOf(first.connectionString);
  await mkdir(socket, { mode: 0o700 });
  await writeFile(join(socket, ".s.PGSQL.5432.lock"), `${pid}\n`);
  const second = await startEmbeddedPostgres(folder);
  expect(await query(second.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  expect(await query(stranger.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  await Promise.all([second.stop(), stranger.stop()]);
});

it("listens on no port and lets no other user near its socket", async () => {
  const postgres = await startEmbeddedPostgres(folder);
  expect(await query(postgres.connectionString, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  const socket = socketOf(postgres.connectionString);
  const { stdout } = await promisify(execFile)("stat", ["-c", "%a", socket]);
  expect(stdout.trim()).toBe("700");
  await postgres.stop();
});
