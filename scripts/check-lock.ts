// Checks that `npm ci` accepts package-lock.json on every platform and that `npm install` doesn't change it.
// With --write, adds the missing packages.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { completeLock, isSameLock, judgeLock, type Lock } from "./complete-lock.ts";

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8")) as Lock;
if (process.argv.includes("--write")) {
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
  process.exit(0);
}
const problems = judgeLock(lock);
// An intended change is staged; one that an install made isn't.
const staged = existsSync(".git") ? spawnSync("git", ["show", `:${file}`], { maxBuffer: 2 ** 26 }) : null;
if (staged?.status === 0 && !isSameLock(JSON.parse(staged.stdout.toString()) as Lock, lock))
  problems.push("An install changed it: look at `git diff package-lock.json`, and stage what is meant.");
for (const problem of problems) console.log(`${file}: ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
