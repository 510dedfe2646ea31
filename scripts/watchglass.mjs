#!/usr/bin/env node
// The command line. In a checkout it runs the source on Node 24, in an installed package the built bundle.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(root, "dist/cli/main.js");
const ownNode = join(root, "node_modules/.bin/node");
const [major, minor] = process.versions.node.split(".").map(Number);

if (root.includes("node_modules") || !existsSync(join(root, "src"))) await run(built);
else if (major > 24 || (major === 24 && minor >= 12)) await run(join(root, "src/cli/main.ts"));
else {
  const args = ["--disable-warning=ExperimentalWarning", ...process.argv.slice(1)];
  const child = spawn(existsSync(ownNode) ? ownNode : "node", args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

async function run(file) {
  // With the compile cache it starts in half the time; Node 20 has no such cache.
  module.enableCompileCache?.();
  // A reader that closes the pipe early, as head does, is not a failure.
  process.stdout.on("error", ({ code }) => process.exit(code === "EPIPE" ? 0 : 1));
  const { main } = await import(file);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  process.exitCode = await main(process.argv.slice(2), version);
  // After Ctrl+C nothing that still runs may keep the process alive.
  if (process.exitCode === 130) process.exit();
}
