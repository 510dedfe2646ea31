// All checks that need no database and no browser: format, lint, types, rooms, long functions, words, unused code, the
// OpenAPI document.
import { spawn } from "node:child_process";
import pLimit from "p-limit";

// The longest first. Each of several checkers would examine the shared types anew: one takes half the processor time.
const steps: [string, string[]][] = [
  ["oxlint", ["--type-aware", "--deny-warnings"]],
  ["tsc", ["-p", "tsconfig.server.json", "--checkers", "1"]],
  ["tsc", ["-p", "tsconfig.web.json", "--checkers", "1"]],
  ["biome", ["check", "."]],
  ["knip", []],
  ["node", ["scripts/rooms.ts"]],
  ["node", ["scripts/long-functions.ts"]],
  ["node", ["scripts/retired-words.ts"]],
  ["node", ["--disable-warning=ExperimentalWarning", "scripts/lint-api.ts"]],
  ["node", ["scripts/check-lock.ts"]],
  ["node", ["--disable-warning=ExperimentalWarning", "scripts/list-texts.ts", "--check"]],
];
// The type checker and the type-aware lint are written in Go, whose garbage collector takes a quarter of their time.
const env = { ...process.env, GOGC: "400" };

async function run([command, args]: [string, string[]]): Promise<boolean> {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => {
    child.on("close", resolve);
    child.on("error", (error) => {
      output += error.message;
      resolve(1);
    });
  });
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${command} ${args.join(" ")}`);
  if (code !== 0) console.log(output);
  return code === 0;
}

const limit = pLimit(2);
const results = await Promise.all(steps.map((step) => limit(run, step)));
process.exit(results.every(Boolean) ? 0 : 1);
