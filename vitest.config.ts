import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Each of many threads would read TypeScript anew by WebAssembly, and V8 is said to end a process when two do so at once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/watchglass/compiled");

// A busy machine may be late once; a test that fails twice has failed, and one that fails once is named.
const outside = { testTimeout: 90_000, hookTimeout: 90_000, retry: 1 };

export default defineConfig({
  test: {
    // Twice the cores of a small machine: the tests wait for databases and browsers more than they compute.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: "unit",
          setupFiles: ["src/detection/testing/steady-seed.ts"],
          testTimeout: 30_000,
          // Loading the house afresh for each file would take as long as trying it.
          isolate: false,
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: ["src/web/**", "**/*.db.test.ts", "**/*.browser.test.ts"],
        },
      },
      {
        plugins: [react()],
        test: {
          name: "web",
          testTimeout: 30_000,
          include: ["src/web/**/*.test.{ts,tsx}"],
          environment: "happy-dom",
          pool: "vmThreads",
        },
      },
      {
        test: {
          name: "db",
          isolate: false,
          include: ["src/**/*.db.test.ts"],
          globalSetup: ["src/storage/testing/start-postgres.ts"],
          ...outside,
        },
      },
      {
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.ts", "bench/**/*.browser.test.ts"],
          ...outside,
        },
      },
    ],
  },
});
