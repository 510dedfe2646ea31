import { constants, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { restWhenIdle } from "./rest.ts";

type Collection = { detail?: { flags?: number } };

test("what a busy time left behind is given back when little is done, and not before", async () => {
  let forced = 0;
  const watching = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as Collection[])
      if ((detail?.flags ?? 0) & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) forced++;
  });
  watching.observe({ entryTypes: ["gc"] });
  let kept: unknown[] = [];
  for (let i = 0; i < 30; i++) kept.push(Array.from({ length: 100_000 }, () => ({})));
  const full = process.memoryUsage().heapUsed;
  kept = [];
  const end = restWhenIdle(200);
  onTestFinished(() => {
    end();
    watching.disconnect();
  });
  const until = performance.now() + 600;
  while (performance.now() < until) await sleep(0).then(() => spin(10));
  expect(forced).toBe(0);
  await expect.poll(() => forced, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(process.memoryUsage().heapUsed).toBeLessThan(full);
  expect(kept).toEqual([]);
});

/** Keeps the thread busy for so many milliseconds. */
function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}
