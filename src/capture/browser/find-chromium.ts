import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import known from "./known-browsers.json" with { type: "json" };
import { unpackNpmChromium } from "./unpack-npm-chromium.ts";

export type Chromium = { path: string; libraries: string | undefined };

// Headless shells first: they take a third of the CPU of the full browser's headless mode. The Linux place is
// what Debian's /usr/bin entry, a shell script, starts.
const names = known.names;
const places: Partial<Record<NodeJS.Platform, string[]>> = known.places;

/** The browser to use: the one named, else one of the system, else the one from npm unpacked below `cacheDir`. */
export async function findChromium(options: {
  chromiumPath: string | undefined;
  cacheDir: string;
}): Promise<Chromium> {
  if (options.chromiumPath !== undefined) {
    if (!runs(options.chromiumPath)) throw new Error(`CHROMIUM_PATH is no program: ${options.chromiumPath}`);
    return { path: options.chromiumPath, libraries: undefined };
  }
  const path = systemChromium();
  if (path !== undefined) return { path, libraries: undefined };
  // The browser starts in a folder of its own, from where a relative path leads nowhere.
  const unpacked = await unpackNpmChromium(resolve(options.cacheDir));
  if (unpacked) return unpacked;
  throw new Error(
    "No browser was found. Install Chromium (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.",
  );
}

function systemChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...(places[process.platform] ?? []),
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find(runs);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
