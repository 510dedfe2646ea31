import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSlowRefusals } from "./slow-refusals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a caller's first twenty refusals a minute are immediate, and further ones are delayed", async () => {
  const slowRefusals = openSlowRefusals();
  for (let n = 0; n < 20; n++) await slowRefusals.wait("a");
  const answered = vi.fn<() => void>();
  void slowRefusals.wait("a").then(answered);
  await vi.advanceTimersByTimeAsync(999);
  expect(answered).not.toHaveBeenCalled();
  await slowRefusals.wait("b");
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  await slowRefusals.wait("a");
});

test("a held caller is refused for the given time, and other callers aren't", async () => {
  const slowRefusals = openSlowRefusals();
  slowRefusals.hold("a", 5_000);
  expect([slowRefusals.left("a"), slowRefusals.left("b")]).toEqual([5_000, 0]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(slowRefusals.left("a")).toBe(0);
});

test("refusals that start together end one after the other", async () => {
  const slowRefusals = openSlowRefusals();
  for (let n = 0; n < 20; n++) await slowRefusals.wait("a");
  const answered: number[] = [];
  for (let n = 0; n < 3; n++) void slowRefusals.wait("a").then(() => answered.push(n));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answered).toEqual([0]);
  await vi.advanceTimersByTimeAsync(10);
  expect(answered).toEqual([0, 1, 2]);
});

test("a caller that disconnects stops waiting and doesn't make others at its address wait for long", async () => {
  const slowRefusals = openSlowRefusals();
  for (let n = 0; n < 20; n++) await slowRefusals.wait("a");
  for (let n = 0; n < 5_000; n++) await slowRefusals.wait("a", AbortSignal.abort());
  const answered = vi.fn<() => void>();
  void slowRefusals.wait("a").then(answered);
  await vi.advanceTimersByTimeAsync(999);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(9_001);
  expect(answered).toHaveBeenCalled();
});
