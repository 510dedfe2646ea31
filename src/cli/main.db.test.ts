import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { applyPatch } from "diff";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Scope } from "#accounts/api-key-scopes.ts";
import { startTestEngine, type TestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { serve } from "#network/testing/local-site.ts";
import { createShop } from "#sites/testing/local-shop.ts";
import { main } from "./main.ts";

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

/** Runs a command in its own process, as a user does. Each command is run this way at least once. */
async function run(args: string[], { input = "", ...env }: Record<string, string> = {}) {
  const child = start(args, env);
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

/** Runs a command in this process: starting another one takes 0.3 s of processor time. */
async function runHere(args: string[], { input = "", ...env }: Record<string, string> = {}) {
  const [out, err] = [[] as string[], [] as string[]];
  const write = (list: string[]) => (chunk: unknown) => list.push(String(chunk)) > 0;
  vi.stubEnv("WATCHGLASS_KEY", undefined);
  vi.stubEnv("WATCHGLASS_URL", undefined);
  for (const [name, value] of Object.entries({ XDG_CONFIG_HOME: home, NO_COLOR: "1", ...env }))
    vi.stubEnv(name, value);
  vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([input]) as typeof process.stdin);
  vi.spyOn(process.stdout, "write").mockImplementation(write(out));
  vi.spyOn(process.stderr, "write").mockImplementation(write(err));
  const listeners = new Set(process.listeners("SIGINT"));
  try {
    const code = await main(args, "1.2.3");
    return { code, out: out.join(""), err: err.join("") };
  } finally {
    for (const one of process.listeners("SIGINT"))
      if (!listeners.has(one)) process.removeListener("SIGINT", one);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

test("a user logs in, adds a job, sees a change, and exports the history and a report", async () => {
  expect(await runHere(["jobs"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("You aren’t logged in"),
  });
  expect(await runHere(["login", "--url", url], { input: "not-a-key\n" })).toMatchObject({
    code: 2,
    err: expect.stringContaining("This isn't an API key"),
  });
  const wrong = await runHere(["login", "--url", url], { input: `wg_${"x".repeat(43)}\n` });
  expect([wrong.code, wrong.err]).toEqual([
    1,
    "This API key does not work: it was revoked, has expired or is mistyped.\n",
  ]);
  const login = await run(["login", "--url", url], { input: `${await makeKey("write")}\n` });
  expect([login.code, login.err]).toEqual([0, expect.stringContaining(`as ${person.email} (Ultimate)`)]);
  expect((await stat(join(home, "watchglass/settings.json"))).mode & 0o777).toBe(0o600);

  engine.site.page.html = html(...story, "Sold out");
  const options = "--name|The shop|--group|From the shell|--every|30|--ignore|.advert|--header|X-Team: blue";
  const added = await run(["add", "http://127.0.0.1:8080/shop", ...options.split("|")]);
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

  expect(await runHere(["run", "The shop", "--fail-on-change"])).toMatchObject({
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
  expect(JSON.parse((await runHere(["diff", "the shop", "#1", "#3", "--json"])).out)).toMatchObject({
    changed: true,
  });
  const patch = await runHere(["diff", "the shop", "1", "3", "--patch"]);
  const text = async (n: number) => {
    const list = await person.executionsOf(id);
    const execution = list[list.length - n]?.id;
    return (await person.call("GET", `/api/jobs/${id}/executions/${execution}/text`)).raw.toString();
  };
  expect(applyPatch(`${(await text(1)).trimEnd()}\n`, patch.out)).toContain("In stock");

  const tail = await runHere(["tail", "--no-follow", "--search", "sold OUT"]);
  expect(tail.out).toContain("From the shell / The shop");
  expect(tail.out).toContain("- Sold out");
  expect((await runHere(["tail", "--no-follow", "--search", "no such words"])).out).toBe("");

  const log = await run(["log", "-S", "sold OUT", "--job", "the shop", "-n", "5"]);
  expect(log.out).toMatch(
    /^Visible text: Sold out\n {2}First seen \S+Z on 1 page, gone since \S+Z\n {2}The shop: \S+ until \S+\n$/,
  );
  const found = JSON.parse((await runHere(["log", "-S", "in stock", "--words", "--json"])).out);
  expect(found.lines).toMatchObject([{ kind: "text", pages: 1, pagesNow: 1 }]);
  expect((await runHere(["log", "-S", "[z-a]abc", "--regex"])).err).toContain(
    "can’t read this regular expression",
  );
  expect((await runHere(["log", "--kind", "status"])).out).toContain("Status code: 200");
  expect((await runHere(["log", "-S", "no such words"])).err).toBe("Nothing found.\n");

  const file = join(home, "history.csv");
  expect((await run(["export", "the shop", "--format", "csv", "-o", file])).err).toContain("3 executions");
  expect((await readFile(file, "utf8")).split("\n").length).toBeGreaterThanOrEqual(4);
  const report = join(home, "report.pdf");
  expect((await run(["report", "the shop", "-o", report])).code).toBe(0);
  expect((await readFile(report)).subarray(0, 5).toString()).toBe("%PDF-");
});

test("a whole account is exported to one file and imported into another; --dry-run creates nothing", async () => {
  const env = { WATCHGLASS_URL: url, WATCHGLASS_KEY: await makeKey("everything") };
  engine.site.page.html = html(...story);
  await person.execution(await person.createJob({ name: "Moved" }), 1);
  const file = join(home, "all.zip");
  const readOnly = { ...env, WATCHGLASS_KEY: await makeKey("read") };
  expect(await runHere(["export", "--all", "-o", file], readOnly)).toMatchObject({
    code: 1,
    err: expect.stringContaining('This API key has the scope "read"; this call needs "everything"'),
  });
  expect(await runHere(["export", "--all", "-o", file], env)).toMatchObject({
    code: 0,
    err: expect.stringContaining("the whole account"),
  });
  expect(await runHere(["export"], env)).toMatchObject({ code: 2, err: "Name a job, or use --all.\n" });
  const other = await engine.person();
  const { key } = (await other.call("POST", "/api/keys", { name: "in", scope: "write" })).body;
  const otherEnv = { WATCHGLASS_URL: url, WATCHGLASS_KEY: String(key) };
  const dryRun = await run(["import", file, "--dry-run"], otherEnv);
  // Without a terminal, progress is printed in lines, without control characters.
  expect(dryRun.err).toMatch(/^\d+\/\d+ URLs checked\n\d+\/\d+ jobs prepared\n\d+\/\d+ captures read\n/);
  expect([...dryRun.out, ...dryRun.err].filter((one) => one === "█" || (one < " " && one !== "\n"))).toEqual(
    [],
  );
  expect(dryRun.out).toMatch(/\+ Group \/ Moved .*\n {4}1 execution with its capture\./);
  expect(dryRun.err).toMatch(/^Watchglass: \d jobs? can be imported\.$/m);
  expect((await other.call("GET", "/api/jobs")).body.jobs).toEqual([]);
  expect((await runHere(["import", file], otherEnv)).err).toMatch(/^Watchglass: \d jobs? imported\.$/m);
  expect(JSON.stringify((await other.call("GET", "/api/jobs")).body.jobs)).toContain("Moved");
  await writeFile(file, "a: &a [b]\nc: [*a,");
  expect(await runHere(["import", file], otherEnv)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/\.\n$/),
  });
  expect(await runHere(["import", `${file}.not`], otherEnv)).toMatchObject({ code: 2 });
  expect(await runHere(["import", home], otherEnv)).toMatchObject({
    code: 2,
    err: `${home} isn't a file.\n`,
  });
});

test("errors are reported in one sentence, with an exit code that a script can check", async () => {
  const read = { WATCHGLASS_URL: url, WATCHGLASS_KEY: await makeKey("read") };
  expect(await runHere(["add", "http://127.0.0.1:8080/y"], read)).toMatchObject({
    code: 1,
    err: expect.stringContaining('This API key has the scope "read"; this call needs "write"'),
  });
  expect(await runHere(["diff", "nothing"], read)).toMatchObject({
    code: 1,
    err: 'There is no job "nothing". "watchglass jobs" lists them.\n',
  });
  expect(await runHere(["run"], read)).toMatchObject({ code: 2 });
  expect(await runHere(["run", "--all", "--timeout", "soon"], read)).toMatchObject({
    code: 2,
    err: expect.stringContaining("Enter a whole number from 1 to 86400."),
  });
  expect(await run(["no-such-command"], read)).toMatchObject({ code: 2 });
  expect(await runHere(["jobs"], { ...read, WATCHGLASS_URL: "http://127.0.0.1:65531" })).toMatchObject({
    code: 1,
    err: "http://127.0.0.1:65531 cannot be reached (ECONNREFUSED).\n",
  });
  expect((await runHere(["--help"], read)).code).toBe(0);
  expect(await runHere(["--version"], read)).toEqual({ code: 0, out: "1.2.3\n", err: "" });
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  expect((await run(["--version"], read)).out).toBe(`${version}\n`);
});

test("an add that is refused leaves no group, and one into an existing group leaves that", async () => {
  const env = { WATCHGLASS_URL: url, WATCHGLASS_KEY: await makeKey("write") };
  const groups = async () =>
    ((await person.call("GET", "/api/jobs/groups")).body as unknown as { name: string }[]).map(
      ({ name }) => name,
    );
  const before = await groups();
  const refused = await runHere(["add", "http://169.254.169.254/", "--group", "Never"], env);
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.err).toMatch(/\.\n$/);
  expect(await groups()).toEqual(before);
  expect((await runHere(["add", "http://169.254.169.254/", "--group", "Group"], env)).code).toBe(1);
  expect(await groups()).toEqual(before);
});

test("Ctrl+C ends a command at once with 130, even if the server doesn't answer", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const asked = new Promise((resolve) => silent.once("connection", resolve));
  const env = { WATCHGLASS_URL: `http://127.0.0.1:${port}`, WATCHGLASS_KEY: `wg_${"x".repeat(43)}` };
  const child = start(["jobs"], env);
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve([code, signal])));
  await asked;
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  silent.close();
});

test("tail follows new changes; a failed check exits with 1", async () => {
  const env = { WATCHGLASS_URL: url, WATCHGLASS_KEY: await makeKey("check") };
  engine.site.page.html = html(...story);
  const id = await person.createJob({ name: "Followed" });
  await person.execution(id, 1);
  const child = start(["tail", "-n", "0", "--json"], env);
  let tailOutput = "";
  child.stdout.on("data", (chunk) => (tailOutput += chunk));
  // Changes from before it listens are not printed, so this makes changes until one is.
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
    if (tailOutput.includes("in season")) break;
  }
  const [first] = tailOutput.trim().split("\n");
  expect(JSON.parse(first ?? "")).toMatchObject({ job: "Followed", jobId: id, lines: expect.any(Array) });
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(130);
  engine.site.page.failure = { kind: "refused", message: "The connection was refused." } as never;
  const failed = await runHere(["run", id], env);
  engine.site.page.failure = null;
  expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(/^✗ failed +Followed: /) });
});

test("a whole site is watched, listed, exported and paused from the shell", async () => {
  const shop = createShop({ sections: 1, perSection: 2, traps: [] });
  const site = await serve((request, response) => shop.listen(request, response));
  const key = await makeKey("write");
  const env = { WATCHGLASS_KEY: key, WATCHGLASS_URL: url };
  const added = await runHere(
    ["add", site.url("/"), "--name", "Whole shop", "--site", "--max-pages", "50"],
    env,
  );
  await person.execution(added.out.trim(), 1);
  const listed = await run(["site", "Whole shop", "--search", "item"], env);
  expect(listed.err).toMatch(/Crawl 1 is finished: \d+ requests/);
  expect(listed.out).toMatch(/200 +2 +link +http:\/\/127[^ ]+\/section-0\/item\/0 +Item 0/);
  expect((await runHere(["site", "Whole shop", "--templates"], env)).out).toContain("/section-{n}/item/{n}");
  expect((await runHere(["site", "Whole shop", "--export", "xml"], env)).out).toContain(
    `<loc>${site.url("/about")}</loc>`,
  );
  expect(await runHere(["site", "Whole shop", "--difference"], env)).toMatchObject({
    code: 1,
    err: "Two crawls are needed.\n",
  });
  shop.overrides.set("/about", {
    headers: { "content-type": "text/html" },
    body: "<title>Team\u001b]0;x\u0007</title>",
  });
  await person.run(added.out.trim());
  const { out: difference } = await runHere(["site", "Whole shop", "--difference"], env);
  expect(difference).toMatch(/^Title “About us” → “Team.*”: http:.+\n$/);
  expect(difference).not.toContain("\u001b");
  expect((await runHere(["site", "Whole shop", "--rules"], env)).out).toContain("PAGES");
  expect((await runHere(["site", "Whole shop", "--source", "sitemap"], env)).err).toContain("Crawl 2");
  expect(await runHere(["site", "Whole shop", "--export", "pdf"], env)).toMatchObject({
    code: 2,
    err: '"pdf" must be one of csv, json, xml.\n',
  });
  expect(await runHere(["site", "Whole shop", "--pause"], env)).toMatchObject({
    code: 1,
    err: "No crawl of this site is under way.\n",
  });
});
