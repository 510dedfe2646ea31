import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "#capture/browser/find-chromium.ts";

/** Launches the browser that the product would use, for our own pages. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const { path, libraries } = await findChromium({
    chromiumPath: process.env.CHROMIUM_PATH,
    cacheDir: "node_modules/.cache/watchglass",
  });
  return chromium.launch({
    executablePath: path,
    args: ["--no-sandbox", ...args],
    ...(libraries ? { env: { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string> } : {}),
  });
}
