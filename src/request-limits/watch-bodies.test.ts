import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchBodies } from "./watch-bodies.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rules = { bytesPerSecond: 1_000, graceMs: 5_000, perCaller: 3, checkEveryMs: 1_000 };

function openBodies() {
  const bodies = watchBodies(rules);
  const cutOff: string[] = [];
  const begin = (name: string, caller = "a", received = () => 0) =>
    bodies.begin(caller, received, ({ code }) => void cutOff.push(`${name} ${code}`));
  return { bodies, cutOff, begin };
}

test("a body that is too slow is cut off, but not a long one that is fast enough or one that has ended", async () => {
  const { bodies, cutOff, begin } = openBodies();
  let seconds = 0;
  begin("slow");
  begin("steady", "a", () => seconds * 1_000);
  const end = begin("ended");
  end();
  for (; seconds < 600; seconds++) await vi.advanceTimersByTimeAsync(1_000);
  expect(cutOff).toEqual(["slow TOO_SLOW"]);
  expect(bodies.unfinished).toBe(1);
});

test("time in which the process was too busy to receive anything isn't held against the sender", async () => {
  const { cutOff, begin } = openBodies();
  begin("patient");
  // One check comes late, as it does after a long computation.
  vi.setSystemTime(Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cutOff).toEqual([]);
});

test("the slowest body of a caller with too many unfinished ones is cut off, and no other caller's", async () => {
  const { bodies, cutOff, begin } = openBodies();
  begin("other", "b");
  begin("fast", "a", () => 50_000);
  begin("slow");
  await vi.advanceTimersByTimeAsync(2_000);
  begin("new");
  begin("newer");
  expect(cutOff).toEqual(["slow TOO_SLOW"]);
  expect(bodies.unfinished).toBe(4);
});

test("no memory and no timer remain once all bodies have ended", () => {
  const { bodies, begin } = openBodies();
  const ends = [begin("one"), begin("two", "b")];
  expect(vi.getTimerCount()).toBe(1);
  for (const end of ends) end();
  expect([bodies.unfinished, vi.getTimerCount()]).toEqual([0, 0]);
});
