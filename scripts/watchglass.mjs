#!/usr/bin/env node
// The command line. From a checkout it runs the source on Node 24; as an installed package, what was built of it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(root, "dist/cli/main.js");
const own = join(root, "node_modules/.bin/node");
const [major, minor] = process.versions.node.split(".").map(Number);

if (root.includes("node_modules") || !existsSync(join(root, "src"))) await run(built);
else if (major > 24 || (major === 24 && minor >= 12)) await run(join(root, "src/cli/main.ts"));
else {
  const args = ["--disable-warning=ExperimentalWarning", ...process.argv.slice(1)];
  const child = spawn(existsSync(own) ? own : "node", args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}

async function run(file) {
  // What was compiled once starts in half the time; Node 20 has no such thing.
  module.enableCompileCache?.();
  // A reader that has seen enough, as head does, is no failure.
  process.stdout.on("error", ({ code }) => process.exit(code === "EPIPE" ? 0 : 1));
  const { main } = await import(file);
  process.exitCode = await main(process.argv.slice(2));
}
