import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRefresher } from "./live.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start() {
  const refreshed: string[] = [];
  return { refreshed, ...createRefresher((key) => refreshed.push(key)) };
}

test("the first event refreshes at once", () => {
  const { refreshed, notice } = start();
  notice("finished");
  expect(refreshed).toEqual(["analytics", "site"]);
});

test("many events refresh once a second, and the last event is never lost", () => {
  const { refreshed, notice } = start();
  for (let i = 0; i < 400; i++) notice("notification");
  expect(refreshed).toEqual(["notifications"]);
  vi.advanceTimersByTime(1000);
  expect(refreshed).toEqual(["notifications", "notifications"]);
  vi.advanceTimersByTime(10_000);
  expect(refreshed).toHaveLength(2);
  notice("notification");
  expect(refreshed).toHaveLength(3);
});

test("a progress event refreshes nothing", () => {
  const { refreshed, notice } = start();
  notice("progress");
  vi.advanceTimersByTime(5000);
  expect(refreshed).toEqual([]);
});

test("a stopped refresher refreshes nothing more", () => {
  const { refreshed, notice, stop } = start();
  notice("notification");
  notice("notification");
  stop();
  vi.advanceTimersByTime(5000);
  expect(refreshed).toHaveLength(1);
});
