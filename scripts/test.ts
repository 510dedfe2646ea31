// Check, then unit, database and browser tests, then end-to-end on the built product; the last line counts them all.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @ts-expect-error Runs on Node 20 too, so it is plain JavaScript.
import { ensureBrowser } from "./ensure-browser.mjs";
import { countPlaywright, flakyTests, type Suite } from "./flaky-tests.ts";

if (!ensureBrowser()) process.exit(1);

type Count = { passed: number; failed: number };

/** Passed only when tried again. */
const flaky: string[] = [];
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
async function step(command: string, args: string[]): Promise<Count> {
  return (await run(command, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A runner that wrote its own counts; one that wrote none has failed, whatever it said. */
function count(code: number, file: string, read: (report: never) => Count): Count {
  let counted: Count;
  try {
    counted = read(JSON.parse(readFileSync(file, "utf8")) as never);
  } catch {
    return { passed: 0, failed: 1 };
  }
  const { passed, failed } = counted;
  return code !== 0 && failed === 0
    ? { passed, failed: 1 }
    : passed + failed === 0
      ? { passed, failed: 1 }
      : counted;
}

async function vitest(): Promise<Count> {
  const file = join(folder, "vitest.json");
  const code = await run("vitest", ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`]);
  return count(code, file, (report: { numPassedTests: number; numFailedTests: number }) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
  }));
}

async function playwright(): Promise<Count> {
  const file = join(folder, "playwright.json");
  const code = await run("playwright", ["test", "--reporter=line,json"], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  return count(code, file, (report: Parameters<typeof countPlaywright>[0] & { suites: Suite[] }) => {
    flaky.push(...flakyTests(report.suites));
    return countPlaywright(report);
  });
}

const counts = [
  await step("node", ["scripts/check.ts"]),
  await step("vite", ["build", "--logLevel", "warn"]),
  await vitest(),
  await playwright(),
];
rmSync(folder, { recursive: true, force: true });
const passed = counts.reduce((sum, { passed }) => sum + passed, 0);
const failed = counts.reduce((sum, { failed }) => sum + failed, 0);
for (const name of flaky) process.stdout.write(`\nflaky: ${name}`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
