import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { BrowserProblem } from "../browser-problem.ts";
import known from "./known-browsers.json" with { type: "json" };
import { unpackNpmChromium } from "./unpack-npm-chromium.ts";

export type Chromium = { path: string; libraries: string | undefined };

// Headless shells first: they take a third of the CPU of the full browser's headless mode. The Linux path is
// the program that Debian's /usr/bin entry, a shell script, starts.
const programNames = known.names;
const knownPaths: Partial<Record<NodeJS.Platform, string[]>> = known.places;

/** Finds the browser to use: the configured one, else the system's, else the one from npm unpacked below `cacheDir`. */
export async function findChromium(options: {
  chromiumPath: string | undefined;
  cacheDir: string;
}): Promise<Chromium> {
  if (options.chromiumPath !== undefined) {
    if (!isExecutable(options.chromiumPath))
      throw new BrowserProblem(`CHROMIUM_PATH isn’t a program: ${options.chromiumPath}`, {
        isPermanent: true,
      });
    return { path: options.chromiumPath, libraries: undefined };
  }
  const path = systemChromium();
  if (path !== undefined) return { path, libraries: undefined };
  // The browser starts in a folder of its own, from which a relative path would not resolve.
  const unpacked = await unpackNpmChromium(resolve(options.cacheDir));
  if (unpacked) return unpacked;
  throw new BrowserProblem(
    "No browser was found. Install Chromium (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.",
    { isPermanent: true },
  );
}

function systemChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...(knownPaths[process.platform] ?? []),
    ...programNames.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
