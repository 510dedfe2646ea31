import { readFileSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { descendants, failToStart, freePort, makeDataDir, removeDataDir, startProduct } from "./product.ts";

const person = { firstname: "Ana", surname: "Kos", email: "ana@example.com", password: "correct1!" };

async function post(
  url: string,
  path: string,
  body: unknown,
): Promise<{ status: number; body: { code: string } }> {
  const answer = await fetch(new URL(path, url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { code: string } };
}

function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("comes up after kill -9 of everything with the account intact, and stops with all it started", async () => {
  const dataDir = await makeDataDir();
  const NODE_COMPILE_CACHE = join(dataDir, "compiled");
  const first = await startProduct({ DATA_DIR: dataDir, NODE_COMPILE_CACHE });
  expect(first.output()).toMatch(
    /\n {2}Watchglass is at {2}http:\/\/localhost:\d+\n {2}Mails are at {6}\S+\/mailbox\n {2}Plans are sold {4}by the sandbox: plans cost nothing\n {2}Stop it with {6}Ctrl\+C\n/,
  );
  for (const name of ["session-secret", "data-key"])
    expect((await stat(join(first.dataDir, name))).mode & 0o777, name).toBe(0o600);
  const twin = await failToStart({ DATA_DIR: first.dataDir, PORT: String(await freePort()) });
  expect([twin.code, twin.output]).toEqual([
    1,
    `DATA_DIR ${first.dataDir} is in use by another Watchglass; stop it or set DATA_DIR.\n`,
  ]);
  expect((await fetch(new URL("/readyz", first.url))).status).toBe(200);
  // The process itself and not a shell before it, and with what must be set before it begins.
  expect(readFileSync(`/proc/${first.process.pid}/environ`, "utf8")).toContain("MALLOC_MMAP_THRESHOLD_=");
  expect((await post(first.url, "/api/auth/register", person)).status).toBe(200);
  const children = await descendants(first.process.pid ?? 0);
  expect(children.length).toBeGreaterThan(0);
  await first.kill();

  const second = await startProduct({
    DATA_DIR: dataDir,
    NODE_COMPILE_CACHE,
    NODE_DEBUG_NATIVE: "COMPILE_CACHE",
  });
  // What the first start's thread has read, the second's need not read anew.
  expect(second.output()).toMatch(/transpile cache for StrippedTypeScript \S+engine-thread\.ts\.\.\.success/);
  const { email, password } = person;
  const login = await post(second.url, "/api/auth/login", { email, password });
  expect([login.status, login.body]).toEqual([
    401,
    {
      code: "LOGIN_FAILED",
      message: "Your account is not activated yet. Open the activation link in your mailbox, then sign in.",
    },
  ]);
  const started = await descendants(second.process.pid ?? 0);
  expect(await second.stop()).toBe(0);
  // An orphan of the browser is reaped by the system's first process, whenever that has time.
  await expect.poll(() => started.filter(isRunning)).toEqual([]);
  await removeDataDir(first.dataDir);
});

test("a taken port: one sentence, exit 1, nothing left running", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as { port: number };
  const dataDir = await makeDataDir();
  const { code, output } = await failToStart({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn" });
  expect([code, output]).toEqual([1, `PORT ${port} is taken; set PORT to another.\n`]);
  await new Promise((resolve) => taken.close(resolve));
  await removeDataDir(dataDir);
});

test("a DATA_DIR that cannot be written: one sentence, exit 1", async () => {
  const folder = await makeDataDir();
  // A file in the way stops root as well, whom permissions do not.
  await writeFile(join(folder, "file"), "");
  const { code, output } = await failToStart({ DATA_DIR: join(folder, "file", "data") });
  expect([code, output]).toEqual([
    1,
    `DATA_DIR ${join(folder, "file", "data")} is not writable (ENOTDIR).\n`,
  ]);
  await removeDataDir(folder);
});

test("a wrong variable: one sentence naming it, exit 1, no stack", async () => {
  const { code, output } = await failToStart({ PORT: "banana" });
  expect([code, output]).toEqual([1, "PORT must be a number.\n"]);
});
