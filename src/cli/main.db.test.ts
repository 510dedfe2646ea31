import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPatch } from "diff";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine, type TestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { Scope } from "#contract/scopes.ts";

let engine: TestEngine;
let person: Awaited<ReturnType<typeof engine.person>>;
let home: string;
let url: string;
beforeAll(async () => {
  engine = await startTestEngine();
  url = await engine.server.listen({ port: 0, host: "127.0.0.1" });
  person = await engine.person();
  home = await mkdtemp(join(tmpdir(), "watchglass-cli-"));
});
afterAll(async () => {
  await engine.close();
  await rm(home, { recursive: true, force: true });
});

async function makeKey(scope: Scope) {
  return String((await person.call("POST", "/api/keys", { name: scope, scope })).body.key);
}

function start(args: string[], env: Record<string, string> = {}) {
  const { WATCHGLASS_KEY: _, WATCHGLASS_URL: __, ...inherited } = process.env;
  return spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/watchglass.mjs", ...args],
    {
      env: { ...inherited, XDG_CONFIG_HOME: home, NO_COLOR: "1", ...env },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
}

/** One command as a user gives it. */
async function run(args: string[], { input = "", ...env }: Record<string, string> = {}) {
  const child = start(args, env);
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

test("a user logs in, watches a page, sees it change and takes everything home", {
  timeout: 120_000,
}, async () => {
  expect(await run(["jobs"])).toMatchObject({ code: 1, err: expect.stringContaining("Nobody is logged in") });
  expect(await run(["login", "--url", url], { input: "not-a-key\n" })).toMatchObject({
    code: 2,
    err: expect.stringContaining("This is no API key"),
  });
  const wrong = await run(["login", "--url", url], { input: `wg_${"x".repeat(43)}\n` });
  expect([wrong.code, wrong.err]).toEqual([
    1,
    "This API key does not work: it was revoked, has expired or is mistyped.\n",
  ]);
  const login = await run(["login", "--url", url], { input: `${await makeKey("write")}\n` });
  expect([login.code, login.err]).toEqual([0, expect.stringContaining(`as ${person.email} (Ultimate)`)]);
  expect((await stat(join(home, "watchglass/settings.json"))).mode & 0o777).toBe(0o600);

  engine.site.page.html = html(...story, "Sold out");
  const words = "--name|The shop|--group|From the shell|--every|30|--ignore|.advert|--header|X-Team: blue";
  const added = await run(["add", "http://127.0.0.1:8080/shop", ...words.split("|")]);
  expect([added.code, added.err]).toEqual([0, expect.stringContaining("every 30 minutes")]);
  const id = added.out.trim();
  expect((await person.call("GET", `/api/jobs/${id}`)).body).toMatchObject({
    frequencyMinutes: 30,
    ignore: [".advert"],
    group: { name: "From the shell" },
    headers: [{ name: "X-Team" }],
  });
  await person.execution(id, 1);
  expect((await run(["jobs", "--group", "from the shell"])).out).toMatch(
    new RegExp(
      `^ID +STATUS.*\\n${id}  ACTIVE  30 min  0 +From the shell  The shop  http://127.0.0.1:8080/shop\\n$`,
    ),
  );

  expect(await run(["run", "The shop", "--fail-on-change"])).toMatchObject({
    code: 0,
    out: "= unchanged The shop\n",
    err: expect.stringMatching(/The shop: capturing\n[^]*The shop: storing\n/),
  });
  engine.site.page.html = html(...story, "In stock\u001b]0;owned\u0007");
  const changed = await run(["run", id.slice(0, 8), "--fail-on-change", "--json"]);
  expect(changed.code).toBe(3);
  expect(JSON.parse(changed.out)).toMatchObject([{ jobId: id, changed: true, failed: false }]);

  const diff = await run(["diff", "the shop"], { NO_COLOR: "", FORCE_COLOR: "1" });
  expect(diff.out).toContain("#2 → #3");
  expect(diff.out).toContain("\u001b[31m- Sold out\u001b[39m");
  expect(diff.out).toContain("\u001b[32m+ In stock");
  expect(diff.out).not.toContain("\u001b]0;");
  expect(JSON.parse((await run(["diff", "the shop", "#1", "#3", "--json"])).out)).toMatchObject({
    changed: true,
  });
  const patch = await run(["diff", "the shop", "1", "3", "--patch"]);
  const text = async (n: number) => {
    const list = await person.executionsOf(id);
    const execution = list[list.length - n]?.id;
    return (await person.call("GET", `/api/jobs/${id}/executions/${execution}/text`)).raw.toString();
  };
  expect(applyPatch(`${(await text(1)).trimEnd()}\n`, patch.out)).toContain("In stock");

  const tail = await run(["tail", "--no-follow", "--search", "sold OUT"]);
  expect(tail.out).toContain("From the shell / The shop");
  expect(tail.out).toContain("- Sold out");
  expect((await run(["tail", "--no-follow", "--search", "no such words"])).out).toBe("");

  const file = join(home, "history.csv");
  expect((await run(["export", "the shop", "--format", "csv", "-o", file])).err).toContain("3 executions");
  expect((await readFile(file, "utf8")).split("\n").length).toBeGreaterThanOrEqual(4);
  const report = join(home, "report.pdf");
  expect((await run(["report", "the shop", "-o", report])).code).toBe(0);
  expect((await readFile(report)).subarray(0, 5).toString()).toBe("%PDF-");
});

test("everything goes out as one file and comes in elsewhere; lists are tried before they are taken", {
  timeout: 60_000,
}, async () => {
  const env = { WATCHGLASS_URL: url, WATCHGLASS_KEY: await makeKey("write") };
  engine.site.page.html = html(...story);
  await person.execution(await person.createJob({ name: "Moved" }), 1);
  const file = join(home, "all.zip");
  expect(await run(["export", "--all", "-o", file], env)).toMatchObject({
    code: 0,
    err: expect.stringContaining("everything of the account"),
  });
  expect(await run(["export"], env)).toMatchObject({ code: 2, err: "Name a job, or say --all.\n" });
  const other = await engine.person();
  const { key } = (await other.call("POST", "/api/keys", { name: "in", scope: "write" })).body;
  const there = { WATCHGLASS_URL: url, WATCHGLASS_KEY: String(key) };
  const tried = await run(["import", file, "--dry-run"], there);
  // Without a terminal: what is done, in lines, and nothing that steers one.
  expect(tried.err).toMatch(
    /^\d+\/\d+ addresses looked at\n\d+\/\d+ jobs gone through\n\d+\/\d+ captures read\n/,
  );
  expect([...tried.out, ...tried.err].filter((one) => one === "█" || (one < " " && one !== "\n"))).toEqual(
    [],
  );
  expect(tried.out).toMatch(/\+ Group \/ Moved .*\n {4}1 execution with its capture\./);
  expect(tried.err).toMatch(/^Watchglass: \d jobs? would be made\.$/m);
  expect((await other.call("GET", "/api/jobs")).body.jobs).toEqual([]);
  expect((await run(["import", file], there)).err).toMatch(/^Watchglass: \d jobs? made\.$/m);
  expect(JSON.stringify((await other.call("GET", "/api/jobs")).body.jobs)).toContain("Moved");
  await writeFile(file, "a: &a [b]\nc: [*a,");
  expect(await run(["import", file], there)).toMatchObject({ code: 1, err: expect.stringMatching(/\.\n$/) });
  expect(await run(["import", `${file}.not`], there)).toMatchObject({ code: 2 });
  expect(await run(["import", home], there)).toMatchObject({ code: 2, err: `${home} is no file.\n` });
});

test("what goes wrong is said in a sentence, with a code that a script can tell", {
  timeout: 60_000,
}, async () => {
  const read = { WATCHGLASS_URL: url, WATCHGLASS_KEY: await makeKey("read") };
  expect(await run(["add", "http://127.0.0.1:8080/y"], read)).toMatchObject({
    code: 1,
    err: expect.stringContaining('This API key has the scope "read"; this call needs "write"'),
  });
  expect(await run(["diff", "nothing"], read)).toMatchObject({
    code: 1,
    err: 'There is no job "nothing". "watchglass jobs" lists them.\n',
  });
  expect(await run(["run"], read)).toMatchObject({ code: 2 });
  expect(await run(["run", "--all", "--timeout", "soon"], read)).toMatchObject({
    code: 2,
    err: expect.stringContaining("It is a whole number from 1 to 86400."),
  });
  expect(await run(["no-such-command"], read)).toMatchObject({ code: 2 });
  expect(await run(["jobs"], { ...read, WATCHGLASS_URL: "http://127.0.0.1:65531" })).toMatchObject({
    code: 1,
    err: "http://127.0.0.1:65531 cannot be reached (ECONNREFUSED).\n",
  });
  expect((await run(["--help"], read)).code).toBe(0);
});

test("a failed check ends with 1; tail follows what comes", { timeout: 60_000 }, async () => {
  const env = { WATCHGLASS_URL: url, WATCHGLASS_KEY: await makeKey("check") };
  engine.site.page.html = html(...story);
  const id = await person.createJob({ name: "Followed" });
  await person.execution(id, 1);
  const child = start(["tail", "-n", "0", "--json"], env);
  let seen = "";
  child.stdout.on("data", (chunk) => (seen += chunk));
  // Until it listens, a change is of the past.
  const words = [
    "Apples",
    "Pears",
    "Plums",
    "Cherries",
    "Quinces",
    "Figs",
    "Grapes",
    "Melons",
    "Dates",
    "Limes",
  ];
  for (const word of words) {
    engine.site.page.html = html(...story, `${word} are in season now`);
    await person.run(id);
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (seen.includes("in season")) break;
  }
  const [first] = seen.trim().split("\n");
  expect(JSON.parse(first ?? "")).toMatchObject({ job: "Followed", jobId: id, lines: expect.any(Array) });
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(130);
  engine.site.page.failure = { kind: "refused", message: "The connection was refused." } as never;
  const failed = await run(["run", id], env);
  engine.site.page.failure = null;
  expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(/^✗ failed +Followed: /) });
});
