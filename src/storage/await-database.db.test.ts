import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { awaitDatabase } from "./await-database.ts";
import { copyDatabase } from "./testing/copy-database.ts";
import { startPooler } from "./testing/start-pooler.ts";

const refusal =
  /^DATABASE_URL leads to a pooler .*: set pool_mode = session, or give it the database's own address\.$/;

test("a pooler that lends connections for one transaction is refused by a sentence; sessions and no pooler are not", async () => {
  const copy = await copyDatabase();
  const byTransaction = await startPooler(copy.connectionString, "transaction");
  const bySession = await startPooler(copy.connectionString, "session");
  await expect(awaitDatabase(byTransaction.url)).rejects.toThrow(refusal);
  // Also while the pooler has several connections to lend.
  const clients = Array.from({ length: 3 }, () => new pg.Client({ connectionString: byTransaction.url }));
  await Promise.all(clients.map((client) => client.connect()));
  await Promise.all(clients.map((client) => client.query("select pg_sleep(0.1)")));
  await expect(awaitDatabase(byTransaction.url)).rejects.toThrow(refusal);
  await Promise.all(clients.map((client) => client.end()));
  await awaitDatabase(bySession.url);
  await awaitDatabase(copy.connectionString);
  byTransaction.close();
  bySession.close();
  await copy.drop();
});

const program = `${process.env.PATH}:/usr/sbin`
  .split(":")
  .map((path) => join(path, "pgbouncer"))
  .find(existsSync);

test.runIf(program !== undefined)(
  "behind the PgBouncer of ops/pgbouncer.ini checks and alerts work",
  async () => {
    const copy = await copyDatabase();
    const bouncer = await startPgBouncer(copy.connectionString, "session");
    const engine = await startTestEngine({ database: bouncer.url });
    const { createJob, execution, run, email } = await engine.person();
    engine.site.page.html = html(...story);
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.html = html(...story, "A paragraph that came through the pooler.");
    expect(await run(id)).toMatchObject({ changed: true });
    await engine.mailTo(email);
    await engine.close();
    await bouncer.stop();
    const other = await startPgBouncer(copy.connectionString, "transaction");
    await expect(awaitDatabase(other.url)).rejects.toThrow(refusal);
    await other.stop();
    await copy.drop();
  },
);

async function startPgBouncer(
  postgres: string,
  mode: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const url = new URL(postgres.replace("@/", "@socket/"));
  const socket = url.searchParams.get("host") ?? "";
  const folder = await mkdtemp(join(tmpdir(), "wg-bouncer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const port = await freePort();
  const settings = readFileSync(join(import.meta.dirname, "../../ops/pgbouncer.ini"), "utf8")
    .replace(/^watchglass = .*$/m, `* = host=${socket} user=${url.username}`)
    .replace(/^listen_addr = .*$/m, "listen_addr = 127.0.0.1")
    .replace(/^listen_port = .*$/m, `listen_port = ${port}\nunix_socket_dir =`)
    .replace(/^auth_type = .*$/m, "auth_type = any")
    .replace(/^auth_file = .*$/m, "")
    .replace(/^pool_mode = .*$/m, `pool_mode = ${mode}`);
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings);
  const owner = process.getuid?.() === 0 ? await socketOwner(socket) : undefined;
  await chmod(folder, 0o755);
  if (owner) await chown(file, owner.uid, owner.gid);
  const child: ChildProcess = spawn(program ?? "", ["-q", file], { ...owner, stdio: "ignore" });
  const ended = new Promise((done) => child.once("exit", done));
  return {
    url: `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function socketOwner(folder: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(folder);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
