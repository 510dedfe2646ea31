import { defineConfig } from "@playwright/test";
import { findChromium } from "./src/capture/browser/find-chromium.ts";

const { path, libraries } = await findChromium({
  chromiumPath: process.env.CHROMIUM_PATH,
  cacheDir: "node_modules/.cache/watchglass",
});

export default defineConfig({
  testDir: "e2e",
  // The long set; each of its tests has a short form in `npm test`, named in docs/testing.md.
  testIgnore: process.env.TEST_SIZE === "long" ? [] : "**/*.long.spec.ts",
  globalSetup: "./e2e/start-shared-product.ts",
  outputDir: "test-results",
  // Three browsers on two slow cores are late, not wrong.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  workers: 3,
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: path,
      // The tests' own browser opens our own pages only; the product's, which opens strangers', keeps its sandbox.
      args: ["--no-sandbox"],
      ...(libraries ? { env: { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string> } : {}),
    },
  },
});
