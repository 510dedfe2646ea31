import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { restWhenIdle } from "./rest.ts";

const total = () => process.memoryUsage().heapTotal;

test("what a busy time left behind is given back when little is done, and not before", async () => {
  const before = total();
  let kept: unknown[] = [];
  for (let i = 0; i < 30; i++) kept.push(Array.from({ length: 100_000 }, () => ({})));
  const full = total();
  kept = [];
  const end = restWhenIdle(200);
  const until = performance.now() + 600;
  while (performance.now() < until) await sleep(0).then(() => spin(10));
  expect(total() - before).toBeGreaterThan((full - before) * 0.8);
  await expect.poll(total, { timeout: 10_000 }).toBeLessThan(before + (full - before) * 0.5);
  end();
  expect(kept).toEqual([]);
});

/** Keeps the thread busy for so many milliseconds. */
function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}
