import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Each of many threads would read TypeScript anew by WebAssembly, and V8 is said to end a process when two do so at once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/watchglass/compiled");

const outside = { testTimeout: 90_000, hookTimeout: 90_000 };
// Node runs the server's TypeScript itself, as `npm start` does: nothing is transformed first.
const native = { experimental: { viteModuleRunner: false } };
const startPostgres = "src/storage/testing/start-postgres.ts";

/** What takes minutes: fault storms, memory, several PostgreSQL versions. Each has a short form in another project. */
const long = {
  test: {
    name: "long",
    ...native,
    include: ["src/**/*.long.test.ts", "bench/**/*.long.test.ts"],
    globalSetup: [startPostgres],
    ...outside,
    testTimeout: 300_000,
  },
};

export default defineConfig({
  test: {
    // Twice the cores of a small machine: the tests wait for databases and browsers more than they compute.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: "unit",
          ...native,
          setupFiles: ["src/detection/testing/steady-seed.ts"],
          testTimeout: 30_000,
          // Loading the house afresh for each file would take as long as trying it.
          isolate: false,
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: ["src/web/**", "**/*.db.test.ts", "**/*.browser.test.ts", "**/*.long.test.ts"],
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
          ...native,
          isolate: false,
          include: ["src/**/*.db.test.ts"],
          globalSetup: [startPostgres],
          ...outside,
        },
      },
      {
        test: {
          name: "browser",
          ...native,
          isolate: false,
          include: ["src/**/*.browser.test.ts", "bench/**/*.browser.test.ts"],
          globalSetup: [startPostgres],
          ...outside,
        },
      },
      ...(process.env.TEST_SIZE === "long" ? [long] : []),
    ],
  },
});
