// Runs the whole test suite and counts it in its last line: checks, build, Vitest, Playwright.
// `--long` adds the long set: fault storms, memory, several PostgreSQL versions, every width and every hostile value.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
// @ts-expect-error Runs on Node 20 too, so it is plain JavaScript.
import { ensureBrowser } from "./ensure-browser.mjs";
import { fetchOpsTools } from "./fetch-ops-tools.ts";
import { readProcessorTime, stolenBetween } from "./processor-time.ts";
import {
  filesToRunAgain,
  formatTest,
  type Report,
  readPlaywright,
  readVitest,
  replaceResults,
  slowestFiles,
  sum,
} from "./read-report.ts";
import { openReportFolder } from "./report-folder.ts";
import { openScratchFolder } from "./scratch-folder.ts";

if (!ensureBrowser()) process.exit(1);

const opsTools = fetchOpsTools("node_modules/.cache/ops-tools");
if (opsTools) process.env.PATH += `:${opsTools}`;
else
  console.log("nginx, PgBouncer and promtool were not found: the tests of ops/ that need them are skipped.");

const isLong = process.argv.includes("--long");
const scratch = openScratchFolder();
const testEnv = { TEST_SIZE: isLong ? "long" : "short", ...(scratch && { TMPDIR: scratch }) };
const folder = openReportFolder("test-reports");
const started = performance.now();
const processorAtStart = readProcessorTime();
const seconds: Record<string, number> = {};

async function run(
  stage: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  process.stdout.write(`\n> ${command} ${args.join(" ")}\n`);
  const begun = performance.now();
  const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...testEnv, ...env } });
  const code = await new Promise<number>((resolve) => {
    child.on("close", (exit) => resolve(exit ?? 1));
    child.on("error", () => resolve(1));
  });
  seconds[stage] = Math.round((performance.now() - begun) / 1000);
  return code;
}

/** Runs a stage that counts as one test: passed or failed. */
async function step(stage: string, command: string, args: string[]): Promise<Report> {
  const hasPassed = (await run(stage, command, args)) === 0;
  const failed = hasPassed ? [] : [failedRun(`${command} ${args.join(" ")}`)];
  return { passed: hasPassed ? 1 : 0, failed, flaky: [], files: [] };
}

const failedRun = (name: string) => ({ file: "", name, why: "" });

/** Reads a runner's report; a missing or empty report is a failure, whatever the exit code. */
function read(runner: string, code: number, file: string, reader: (report: never) => Report): Report {
  let report: Report;
  try {
    report = reader(JSON.parse(readFileSync(file, "utf8")) as never);
  } catch {
    return { passed: 0, failed: [failedRun(`${runner} wrote no report`)], flaky: [], files: [] };
  }
  if (report.failed.length > 0 || (code === 0 && report.passed > 0)) return report;
  return { ...report, failed: [failedRun(`${runner} ended with ${code} after ${report.passed} passed`)] };
}

async function vitest(stage: string, paths: string[] = []): Promise<Report> {
  const file = join(folder, `${stage}.json`);
  const args = ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...paths];
  return read("vitest", await run(stage, "vitest", args), file, readVitest);
}

async function playwright(stage: string, paths: string[] = []): Promise<Report> {
  const file = join(folder, `${stage}.json`);
  const args = ["test", "--reporter=line,json", ...paths];
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  return read("playwright", await run(stage, "playwright", args, env), file, readPlaywright);
}

const checked = await step("check", "node", ["scripts/check.ts"]);
const built = await step("build", "vite", ["build", "--logLevel", "warn"]);
// One after the other: in parallel they saved little time, since both need the processor, and a test timed out.
let units = await vitest("vitest");
let screens = await playwright("playwright");
// The runners retry nothing. The files of a few failed tests run once more, when nothing else needs the processor.
const stolenShare = stolenBetween(processorAtStart, readProcessorTime());
const again = filesToRunAgain([checked, built, units, screens], stolenShare);
const isScreen = (file: string) => file.startsWith("e2e/");
const unitsAgain = again.filter((file) => !isScreen(file));
if (unitsAgain.length > 0) units = replaceResults(units, await vitest("vitest-again", unitsAgain));
const screensAgain = again.filter(isScreen);
if (screensAgain.length > 0)
  screens = replaceResults(screens, await playwright("playwright-again", screensAgain));
const { passed, failed, flaky, files } = sum([checked, built, units, screens]);
seconds.all = Math.round((performance.now() - started) / 1000);
writeFileSync(
  join(folder, "summary.json"),
  JSON.stringify({ size: testEnv.TEST_SIZE, seconds, stolenShare, passed, failed, flaky, files }, null, 2),
);

process.stdout.write("\nThe ten slowest test files, in seconds:\n");
for (const { file, seconds: took, tests } of slowestFiles(files, 10))
  process.stdout.write(`${took.toFixed(1).padStart(7)}  ${file} (${tests} tests)\n`);
const stages = Object.entries(seconds).map(([stage, took]) => `${stage} ${took} s`);
process.stdout.write(`Stages: ${stages.join(", ")}. The report is in ${folder}.\n`);
if (stolenShare >= 0.01)
  process.stdout.write(`Other machines took ${Math.round(stolenShare * 100)} % of the processors.\n`);
for (const test of flaky) process.stdout.write(`\nflaky: ${formatTest(test)}`);
for (const test of failed) process.stdout.write(`\nfailed: ${formatTest(test)}`);
process.stdout.write(`\n${passed} passed, ${failed.length} failed\n`);
process.exit(failed.length === 0 ? 0 : 1);
