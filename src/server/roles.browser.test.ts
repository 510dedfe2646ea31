import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { listMails, readMail } from "#mail/mailbox.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { startS3 } from "#storage/testing/start-s3.ts";
import { openHosts } from "./testing/hosts.ts";

const root = join(import.meta.dirname, "../..");
const processes: ChildProcess[] = [];
const net = openHosts(["api", "scheduler", "worker"]);
const token = "a-token-of-the-operator";
let folder: string;
let database: Awaited<ReturnType<typeof copyDatabase>>;
let store: Awaited<ReturnType<typeof startS3>>;
let site: Server;
let news = "";
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchglass-roles-"));
  await chmod(folder, 0o711);
  // The database is empty: the roles migrate it when they start.
  database = await copyDatabase("template0");
  store = await startS3(join(folder, "s3"), { address: net.own });
  const text = Array.from(
    { length: 12 },
    (_, i) => `<p>Paragraph ${i} of a page on a server of its own.</p>`,
  ).join("");
  site = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>A site</title><main>${text}${news}</main>`);
  }).listen(0, net.own);
  await once(site, "listening");
  environment = {
    PATH: process.env.PATH ?? "",
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/watchglass/compiled"),
    ...(process.env.CHROMIUM_PATH && { CHROMIUM_PATH: process.env.CHROMIUM_PATH }),
    DATABASE_URL: urlOf(database),
    BLOB_STORE: `s3://captures?endpoint=${encodeURIComponent(`http://${net.own}:${store.port}`)}`,
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
    MAIL_DIR: join(folder, "mails"),
    SESSION_SECRET: "0123456789abcdef0123456789abcdef",
    DATA_KEY: "fedcba9876543210fedcba9876543210",
    EGRESS_ALLOW: `${net.own}/32`,
    METRICS_TOKEN: token,
    LOG_LEVEL: "warn",
    PORT: "0",
  };
});

afterAll(async () => {
  await Promise.all(
    processes.map(async (child) => {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    }),
  );
  net.close();
  await store.close();
  await database.drop();
  site.closeAllConnections();
  site.close();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = ({ connectionString }: { connectionString: string }) =>
  connectionString.replace("@/", "@localhost/");

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return String(port);
}

/** Starts a role as an operator does; returns its output once it has started. */
async function start(role: string, overrides: Record<string, string> = {}): Promise<string> {
  const host = net.hosts[role];
  if (!host) throw new Error(role);
  const [program, args] = host.command(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "src/server/main.ts",
  ]);
  const child = spawn(program, args, {
    cwd: root,
    env: { ...environment, ROLE: role, HOST: host.address, DATA_DIR: join(folder, role), ...overrides },
    stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"],
  });
  processes.push(child);
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  child.stdout.on("data", (chunk) => (output += chunk));
  const end = performance.now() + 180_000;
  while (performance.now() < end && !output.includes("Stop it with")) {
    if (child.exitCode !== null) throw new Error(output);
    await sleep(100);
  }
  return output;
}

/** The output of an ops command, run in its own process as an operator does; the exit code comes last. */
async function ops(args: string, overrides: Record<string, string> = {}): Promise<string> {
  const env = { ...environment, ROLE: "worker", DATA_DIR: join(folder, "ops"), ...overrides };
  const run = promisify(execFile)(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/ops.ts", ...args.split(" ")],
    { cwd: root, env },
  );
  type CommandResult = { stdout: string; stderr: string; code?: number };
  const { stdout, stderr, code = 0 }: CommandResult = await run.catch((error: CommandResult) => error);
  return `${stdout}${stderr}ended with ${code}`;
}

test("separate roles share a database and a bucket, each reports its role and health, and a change is alerted", async () => {
  const port = await freePort();
  const api = `http://${net.hosts.api?.address}:${port}`;
  const [apiOutput, schedulerOutput, workerOutput] = await Promise.all([
    start("api", { PORT: port, BASE_URL: api }),
    start("scheduler"),
    start("worker"),
  ]);
  const mailboxLine = net.areIsolated ? [] : [`  Mails are at      ${api}/mailbox`];
  expect(apiOutput).toContain(
    ["", `  Watchglass is at  ${api}`, ...mailboxLine, "  Plans are sold"].join("\n"),
  );
  expect(schedulerOutput).toMatch(
    /Watchglass runs a scheduler\n {2}Health is at {6}http:\/\/[\d.]+:\d+\/readyz\n {2}Stop it with/,
  );
  expect(workerOutput).toMatch(
    /Watchglass runs a worker\n {2}Health is at {6}\S+\/readyz\n {2}Mails are at {6}\S+\/mails\n/,
  );
  expect(schedulerOutput + workerOutput).not.toContain("Watchglass is at");

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await fetch(api + path, {
      method,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, never>;
  };
  const email = "ana@example.com";
  await call("POST", "/api/auth/register", { firstname: "Ana", surname: "B", email, password: "correct1!" });
  const link = /\/activate\/([\w-]+)/.exec((await mail(1)).text)?.[1];
  await call("GET", `/api/registration/activate/${link}`);
  const { token: session } = await call("POST", "/api/auth/login", { email, password: "correct1!" });
  const group = await call("POST", "/api/jobs/groups", { name: "Group" }, session);
  const url = `http://${net.own}:${(site.address() as AddressInfo).port}/page`;
  const created = await call(
    "POST",
    "/api/jobs/create",
    { name: "Page", url, frequency: 60, groupId: group.id },
    session,
  );
  const { id } = created.job as unknown as { id: string };
  const executions = async () =>
    (await call("GET", `/api/jobs/${id}/executions`, undefined, session)).executions as unknown as {
      changed: boolean;
      error: string | null;
    }[];
  await until(async () => (await executions()).length === 1);
  news = "<p>Something that was not here before.</p>";
  await call("POST", `/api/jobs/${id}/run`, undefined, session);
  await until(async () => (await executions()).length === 2);
  expect((await executions())[0]).toMatchObject({ changed: true, error: null });
  expect((await mail(2)).subject).toContain("Page");
  // Whoever has the folder can read the mails that a worker sent; the API shows them only to its own machine.
  const { mails } = await call("GET", "/api/mailbox");
  expect((mails as unknown as unknown[] | undefined)?.length).toBe(net.areIsolated ? undefined : 2);

  for (const output of [schedulerOutput, workerOutput]) {
    const address = /Health is at +(\S+)\/readyz/.exec(output)?.[1];
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/metrics`)).status).toBe(404);
    const headers = { authorization: `Bearer ${token}` };
    const figures = await (await fetch(`${address}/metrics`, { headers })).text();
    expect(figures).toContain(
      output === workerOutput
        ? 'watchglass_checks_total{result="changed",way="browser"} 1'
        : "watchglass_schedule_lag_seconds",
    );
    expect(figures.includes("watchglass_browser_pages")).toBe(output === workerOutput);
  }

  const state = await ops("status");
  const [findings, orphans] = await Promise.all([ops("doctor"), ops("gc --dry-run")]);
  expect(findings).toMatch(/^ok {4}PostgreSQL 18\S* answers\.$/m);
  expect(findings).toMatch(/^ok {4}All \d+ migrations are applied\.$/m);
  expect(findings).toMatch(/^ok {4}Captures can be written to s3:\/\/captures/m);
  expect(findings).toMatch(/^mind {2}Emails stay in \S+\/mails: SMTP_URL isn’t set/m);
  expect(findings).toMatch(/^ok {4}.*Self-test: nothing got out\.$/m);
  expect(findings).toMatch(/\nAll is well\.\nended with 0$/);
  expect(state).toMatch(/^schedule +\d+\.\d s behind/m);
  expect(state).toMatch(/^running +3 processes beside the database$/m);
  expect(orphans).toMatch(/^0 of \d+ captures belong to nothing; 0\.0 MB would be removed\.$/m);
});

test("a backup of the running system with a bucket is restored into an empty system with a folder", async () => {
  const backupFolder = join(folder, "copy");
  expect(await ops(`backup ${backupFolder}`)).toMatch(
    /^ {2}executions: 2 rows$[^]*^ {2}captures: (\d+) of \1$[^]*^\d+ rows and \1 captures are in [^]*ended with 0$/m,
  );
  const emptyDatabase = await copyDatabase("template0");
  onTestFinished(() => emptyDatabase.drop());
  const target = { DATABASE_URL: urlOf(emptyDatabase), BLOB_STORE: "", DATA_DIR: join(folder, "restored") };
  const [running, behind] = await Promise.all([ops(`restore ${backupFolder}`), ops("status", target)]);
  expect(running).toBe("Watchglass is running on this database: stop it first.\nended with 1");
  expect(behind).toMatch(/^The database is \d+ migrations behind this version: start Watchglass first/);
  const wrongKey = await ops(`restore ${backupFolder}`, { ...target, DATA_KEY: `${"0".repeat(31)}1` });
  expect(wrongKey).toMatch(/^This backup was encrypted with another DATA_KEY[^\n]*\nended with 1$/);
  const restored = await ops(`restore ${backupFolder}`, target);
  expect(restored).toMatch(/^Restored; every row and capture compares equal\.\nended with 0$/m);
});

test("tasks that were given up are listed with their reasons and replayed by command", async () => {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  // A mail that can't be decrypted: the worker gives it up at once.
  await client.query(
    "insert into pgboss.job (name, data, retry_limit, dead_letter, state) values ('mail', '{\"sealed\":\"?\"}', 0, 'mail-dead', 'created')",
  );
  await until(
    async () => (await client.query("select from pgboss.job where name = 'mail-dead'")).rowCount === 1,
  );
  const listed = await ops("replay");
  const id = /^mail ([0-9a-f-]{36}) \S+Z \S.*$/m.exec(listed)?.[1];
  expect(listed).toContain("1 given up; npm run ops -- replay QUEUE sends a queue's again.");
  expect(await ops(`replay mail ${id}`)).toBe("1 task was sent again.\nended with 0");
  const { rows } = await client.query("select id from pgboss.job where name = 'mail-dead' and id = $1", [id]);
  expect(rows).toEqual([]);
  await client.end();
});

test("a failing ops command prints a sentence and never a stack trace", async () => {
  const unreachable = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };
  const outputs = await Promise.all([
    ops("mend"),
    ops("gc --dryrun"),
    ops("restore /nowhere"),
    ops("status", unreachable),
    ops("doctor", {
      ...unreachable,
      CHROMIUM_PATH: "/nowhere/chromium",
      BLOB_STORE: String(environment.BLOB_STORE).replace("captures", "nothing"),
    }),
  ]);
  expect(outputs.map((output) => output.split("\n")[0])).toEqual([
    "There is no mend; there are:",
    "npm run ops -- gc [--dry-run]",
    "/nowhere isn’t a backup: it has no readable manifest.json.",
    "DATABASE_URL: no database answered for 5 s (connect ECONNREFUSED 127.0.0.1:1).",
    expect.stringMatching(/^ok {4}Node /),
  ]);
  for (const output of outputs) {
    expect(output).not.toMatch(/^ +at /m);
    expect(output).toMatch(/ended with [12]$/);
  }
  const [, ...findings] = (outputs.at(-1) ?? "").split("\n").filter((line) => !line.startsWith("ok"));
  expect(findings).toEqual([
    "BAD   Captures cannot be stored: S3 has no bucket nothing.",
    expect.stringMatching(/^mind {2}Emails stay in /),
    "BAD   The browser: CHROMIUM_PATH isn’t a program: /nowhere/chromium.",
    "Something needs your attention.",
    "ended with 1",
  ]);
});

test("a bucket that refuses our credentials is reported with the reason at the start", async () => {
  const output = await start("api", { AWS_ACCESS_KEY_ID: "NOBODY" });
  expect(output).toMatch(/Captures cannot be stored: S3 answered 403 to PUT: InvalidAccessKeyId/);
});

async function mail(count: number) {
  const box = join(folder, "mails");
  await until(async () => (await listMails(box).catch(() => [])).length >= count);
  const [newest] = await listMails(box);
  const found = newest && (await readMail(box, newest.id));
  if (!found) throw new Error("no mail");
  return found;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (performance.now() < end) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error("the condition was not met in time");
}
