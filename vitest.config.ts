import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Each of many threads would read TypeScript anew by WebAssembly, and V8 is said to end a process when two do so at once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/watchglass/compiled");

// For what hangs: a test that takes 40 s on a quiet machine must hold on one at a quarter of its speed. A test that waits
// says what for, and waits with `until` or `expect.poll`, whose patience ends first.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };
// Node runs the server's TypeScript itself, as `npm start` does: nothing is transformed first.
const native = { experimental: { viteModuleRunner: false } };
const startPostgres = "src/storage/testing/start-postgres.ts";

// Vitest begins with the largest files. These are short and take long: at the end, one of them would keep one core busy
// while the other has nothing left to do.
const slow = ["bench/scenarios/scenarios.test.ts", "selectors-and-ignore-rules/rule-budget.test.ts"];

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** What takes minutes: fault storms, memory, several PostgreSQL versions. Each has a short form in another project. */
const long = {
  test: {
    name: "long",
    ...native,
    include: ["src/**/*.long.test.ts", "bench/**/*.long.test.ts"],
    globalSetup: [startPostgres],
    ...patience,
    testTimeout: 900_000,
  },
};

export default defineConfig({
  test: {
    // Twice the cores of a small machine: the tests wait for databases and browsers more than they compute.
    maxWorkers: 4,
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          name: "unit",
          ...native,
          setupFiles: ["src/detection/testing/steady-seed.ts"],
          ...patience,
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
          ...patience,
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
          ...patience,
        },
      },
      {
        test: {
          name: "browser",
          ...native,
          isolate: false,
          include: ["src/**/*.browser.test.ts", "bench/**/*.browser.test.ts"],
          globalSetup: [startPostgres],
          ...patience,
        },
      },
      ...(process.env.TEST_SIZE === "long" ? [long] : []),
    ],
  },
});
