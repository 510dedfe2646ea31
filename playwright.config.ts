import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const chromium = [
  process.env.CHROMIUM_PATH ?? "",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 60_000,
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    launchOptions: {
      executablePath: chromium,
      // Its own pages only: the pages that need the sandbox are opened by the product, which keeps it on.
      args: ["--no-sandbox"],
    },
  },
});
