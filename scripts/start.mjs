// Runs on Node 20 and later: builds what is missing and starts the project's own Node 24.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBrowser } from "./ensure-browser.mjs";

// Name lookups, files and compression share this pool; a few dead names must not delay the rest.
process.env.UV_THREADPOOL_SIZE ??= "16";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const webFolder = join(root, "dist/web");
const ownNode = join(root, "node_modules/.bin/node");
const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 24 || (major === 24 && minor >= 12)) await start();
else if (existsSync(ownNode)) startWithOwnNode();
else
  fail(`Node 24.12 or later is needed; this is ${process.versions.node}, and npm has none for this machine.`);

function startWithOwnNode() {
  const child = spawn(ownNode, ["--disable-warning=ExperimentalWarning", ...process.argv.slice(1)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}

async function start() {
  const role = process.env.ROLE || "all";
  if ((role === "all" || role === "worker") && !ensureBrowser(root)) process.exit(1);
  if (!isBuilt()) build();
  // With the cache a second start takes two thirds of the time; if the cache can't be written, it isn't used. Threads
  // get it from the environment: without it they strip TypeScript with WebAssembly, and V8 may end the process when two
  // threads do so at once (docs/decisions/0069-thread-cache.md).
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/watchglass/compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import("../src/server/main.ts");
}

/** Builds into another folder and then renames it, so that two simultaneous starts never see half a build. */
function build() {
  process.stdout.write("Building the web application …\n");
  const buildFolder = join(root, `dist/web-${process.pid}`);
  const built = spawnSync(
    process.execPath,
    [join(root, "node_modules/vite/bin/vite.js"), "build", "--outDir", buildFolder, "--logLevel", "error"],
    { cwd: root, stdio: "inherit" },
  );
  if (built.status !== 0) fail("The web application could not be built.");
  const previousFolder = `${buildFolder}-before`;
  try {
    if (existsSync(webFolder)) renameSync(webFolder, previousFolder);
    renameSync(buildFolder, webFolder);
  } catch {
    // Another start was faster: its build is just as good.
    rmSync(buildFolder, { recursive: true, force: true });
  }
  rmSync(previousFolder, { recursive: true, force: true });
  if (!existsSync(join(webFolder, "index.html"))) fail("The web application could not be put in dist/web.");
}

function isBuilt() {
  const index = join(webFolder, "index.html");
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
