import { constants, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { releaseMemoryWhenIdle } from "./release-memory.ts";

type Collection = { detail?: { flags?: number } };

test("memory of a busy period is released once the process is idle, and not before", async () => {
  let forced = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as Collection[])
      if ((detail?.flags ?? 0) & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) forced++;
  });
  observer.observe({ entryTypes: ["gc"] });
  let objects: unknown[] = [];
  for (let i = 0; i < 30; i++) objects.push(Array.from({ length: 100_000 }, () => ({})));
  const heapWhenFull = process.memoryUsage().heapUsed;
  objects = [];
  const end = releaseMemoryWhenIdle(200);
  onTestFinished(() => {
    end();
    observer.disconnect();
  });
  const busyUntil = performance.now() + 600;
  while (performance.now() < busyUntil) await sleep(0).then(() => spin(10));
  expect(forced).toBe(0);
  await expect.poll(() => forced).toBeGreaterThan(0);
  expect(process.memoryUsage().heapUsed).toBeLessThan(heapWhenFull);
  expect(objects).toEqual([]);
});

/** Keeps the thread busy for the given milliseconds. */
function spin(ms: number): void {
  for (const busyUntil = performance.now() + ms; performance.now() < busyUntil; );
}
