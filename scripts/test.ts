// Check, then unit, database and browser tests, then end-to-end on the built product; the last line counts them all.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @ts-expect-error Runs on Node 20 too, so it is plain JavaScript.
import { ensureBrowser } from "./ensure-browser.mjs";
import { type Report, readPlaywright, readVitest, sum } from "./read-report.ts";

if (!ensureBrowser()) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), "watchglass-run-"));

async function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  process.stdout.write(`\n> ${command} ${args.join(" ")}\n`);
  const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve(code ?? 1));
    child.on("error", () => resolve(1));
  });
}

/** A step that counts as one: green or not. */
async function step(command: string, args: string[]): Promise<Report> {
  const failed = (await run(command, args)) === 0 ? [] : [`${command} ${args.join(" ")}`];
  return { passed: 1 - failed.length, failed, flaky: [] };
}

/** A runner that wrote its own report; one that wrote none, or an empty one, has failed, whatever it said. */
function read(runner: string, code: number, file: string, reader: (report: never) => Report): Report {
  let report: Report;
  try {
    report = reader(JSON.parse(readFileSync(file, "utf8")) as never);
  } catch {
    return { passed: 0, failed: [`${runner} wrote no report`], flaky: [] };
  }
  const { passed, failed, flaky } = report;
  if (failed.length > 0 || (code === 0 && passed > 0)) return report;
  return { passed, failed: [`${runner} ended with ${code} after ${passed} passed`], flaky };
}

async function vitest(): Promise<Report> {
  const file = join(folder, "vitest.json");
  const code = await run("vitest", ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`]);
  return read("vitest", code, file, readVitest);
}

async function playwright(): Promise<Report> {
  const file = join(folder, "playwright.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const code = await run("playwright", ["test", "--reporter=line,json"], env);
  return read("playwright", code, file, readPlaywright);
}

const { passed, failed, flaky } = sum([
  await step("node", ["scripts/check.ts"]),
  await step("vite", ["build", "--logLevel", "warn"]),
  await vitest(),
  await playwright(),
]);
rmSync(folder, { recursive: true, force: true });
for (const name of flaky) process.stdout.write(`\nflaky: ${name}`);
for (const name of failed) process.stdout.write(`\nfailed: ${name}`);
process.stdout.write(`\n${passed} passed, ${failed.length} failed\n`);
process.exit(failed.length === 0 ? 0 : 1);
