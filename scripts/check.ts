// Everything that can be judged without a database or a browser: format, lint, types, rooms, unused code, the calls' document.
import { spawn } from "node:child_process";

const steps: [string, string[]][] = [
  ["biome", ["check", "."]],
  ["oxlint", ["--type-aware", "--deny-warnings"]],
  ["tsc", ["-p", "tsconfig.server.json"]],
  ["tsc", ["-p", "tsconfig.web.json"]],
  ["node", ["scripts/rooms.ts"]],
  ["knip", []],
  ["node", ["--disable-warning=ExperimentalWarning", "scripts/lint-api.ts"]],
  ["node", ["scripts/check-lock.ts"]],
];

async function run([command, args]: [string, string[]]): Promise<boolean> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
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

const results: boolean[] = [];
for (let i = 0; i < steps.length; i += 2) {
  results.push(...(await Promise.all(steps.slice(i, i + 2).map(run))));
}
process.exit(results.every(Boolean) ? 0 : 1);
