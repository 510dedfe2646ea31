// Makes sure that a browser for captures is installed before anything starts. Runs on Node 20, without packages.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

// Read as a file, because Node 20 warns about importing JSON.
const list = new URL("../src/capture/browser/known-browsers.json", import.meta.url);
const { names, places } = JSON.parse(readFileSync(list, "utf8"));
const advice = "Install Chromium (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.";

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function hasSystemBrowser(env) {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const knownPaths = places[process.platform] ?? [];
  return [...knownPaths, ...folders.flatMap((folder) => names.map((name) => join(folder, name)))].some(
    isExecutable,
  );
}

/** npm provides a browser for Linux on x64 only; the capture unpacks it by itself. */
function hasNpmBrowser(root) {
  const isInstalled = existsSync(join(root, "node_modules/@sparticuz/chromium/bin/chromium.br"));
  return isInstalled && process.platform === "linux" && process.arch === "x64";
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-q", ...args], { env, stdio: "ignore" }).status === 0;
}

/**
 * Returns true if a browser is installed or could be installed, which only root on Debian can do; otherwise prints
 * one sentence that says what to install.
 */
export function ensureBrowser(root = process.cwd(), env = process.env) {
  if (env.CHROMIUM_PATH || hasSystemBrowser(env) || hasNpmBrowser(root)) return true;
  const isDebianRoot = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (!isDebianRoot) {
    console.error(`No browser was found. ${advice}`);
    return false;
  }
  console.log("No browser was found: installing Debian's chromium-headless-shell, once.");
  const install = () => apt("install", "-y", "--no-install-recommends", "chromium-headless-shell");
  if (install() || (apt("update") && install())) return true;
  console.error(`The browser could not be installed. ${advice}`);
  return false;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exit(ensureBrowser() ? 0 : 1);
