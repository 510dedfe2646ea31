import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { unpackNpmChromium } from "./unpack-npm-chromium.ts";

export type Chromium = { path: string; libraries: string | undefined };

// Headless shells first: they take a third of the CPU of the full browser's headless mode (PERF.md).
const names = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "headless_shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];
const places: Partial<Record<NodeJS.Platform, string[]>> = {
  // Debian's /usr/bin entry is a shell script around this one.
  linux: ["/usr/lib/chromium/chromium-headless-shell"],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  ],
};

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
  const unpacked = await unpackNpmChromium(options.cacheDir);
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
