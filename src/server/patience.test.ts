import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPatience } from "./patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("twenty refusals a minute come at once, the next ones wait, and a minute later they come at once again", async () => {
  const patience = openPatience();
  for (let n = 0; n < 20; n++) await patience.wait("a");
  const answered = vi.fn<() => void>();
  void patience.wait("a").then(answered);
  await vi.advanceTimersByTimeAsync(999);
  expect(answered).not.toHaveBeenCalled();
  await patience.wait("b");
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  await patience.wait("a");
});

test("who is held is refused for as long, and nobody else", async () => {
  const patience = openPatience();
  patience.hold("a", 5_000);
  expect([patience.left("a"), patience.left("b")]).toEqual([5_000, 0]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(patience.left("a")).toBe(0);
});

test("refusals that begin together end one after the other", async () => {
  const patience = openPatience();
  for (let n = 0; n < 20; n++) await patience.wait("a");
  const answered: number[] = [];
  for (let n = 0; n < 3; n++) void patience.wait("a").then(() => answered.push(n));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answered).toEqual([0]);
  await vi.advanceTimersByTimeAsync(10);
  expect(answered).toEqual([0, 1, 2]);
});

test("who leaves waits no more, and makes nobody at its address wait for long", async () => {
  const patience = openPatience();
  for (let n = 0; n < 20; n++) await patience.wait("a");
  for (let n = 0; n < 5_000; n++) await patience.wait("a", AbortSignal.abort());
  const answered = vi.fn<() => void>();
  void patience.wait("a").then(answered);
  await vi.advanceTimersByTimeAsync(999);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(9_001);
  expect(answered).toHaveBeenCalled();
});
