// Runs on any Node from 20 on: hands over to the project's own Node 24 and builds what is missing.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBrowser } from "./ensure-browser.mjs";

// Name look-ups, files and compression share this pool; a few dead names must not hold up the rest.
process.env.UV_THREADPOOL_SIZE ??= "16";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const place = join(root, "dist/web");
const own = join(root, "node_modules/.bin/node");
const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 24 || (major === 24 && minor >= 12)) await start();
else if (existsSync(own)) handOver();
else
  fail(`Node 24.12 or later is needed; this is ${process.versions.node}, and npm has none for this machine.`);

function handOver() {
  const child = spawn(own, ["--disable-warning=ExperimentalWarning", ...process.argv.slice(1)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}

async function start() {
  const role = process.env.ROLE || "all";
  if ((role === "all" || role === "worker") && !ensureBrowser(root)) process.exit(1);
  if (!isBuilt()) build();
  // A second start takes two thirds of the first; where it cannot be written, it is done without. Threads take it from
  // the environment: to read TypeScript anew they need WebAssembly, and V8 is said to end a process when two use that at once.
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/watchglass/compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import("../src/server/main.ts");
}

/** Built aside and moved into place, so that two starts at once never see half a build. */
function build() {
  process.stdout.write("Building the web application …\n");
  const aside = join(root, `dist/web-${process.pid}`);
  const built = spawnSync(
    process.execPath,
    [join(root, "node_modules/vite/bin/vite.js"), "build", "--outDir", aside, "--logLevel", "error"],
    { cwd: root, stdio: "inherit" },
  );
  if (built.status !== 0) fail("The web application could not be built.");
  const before = `${aside}-before`;
  try {
    if (existsSync(place)) renameSync(place, before);
    renameSync(aside, place);
  } catch {
    // Another start was quicker: its build is as good.
    rmSync(aside, { recursive: true, force: true });
  }
  rmSync(before, { recursive: true, force: true });
  if (!existsSync(join(place, "index.html"))) fail("The web application could not be put in dist/web.");
}

function isBuilt() {
  const index = join(place, "index.html");
  if (!existsSync(index)) return false;
  const builtAt = statSync(index).mtimeMs;
  return ["src/web", "src/contract", "src/detection"]
    .map((folder) => join(root, folder))
    .filter(existsSync)
    .every((folder) => newest(folder) <= builtAt);
}

function newest(folder) {
  return Math.max(
    0,
    ...readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name)).mtimeMs),
  );
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
