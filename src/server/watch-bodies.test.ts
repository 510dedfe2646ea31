import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchBodies } from "./watch-bodies.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rules = { bytesPerSecond: 1_000, graceMs: 5_000, perCaller: 3, checkEveryMs: 1_000 };

function open() {
  const bodies = watchBodies(rules);
  const cut: string[] = [];
  const begin = (name: string, caller = "a", received = () => 0) =>
    bodies.begin(caller, received, ({ code }) => void cut.push(`${name} ${code}`));
  return { bodies, cut, begin };
}

test("a body that falls behind is cut off; one that keeps up, however long it is, and one that ended are not", async () => {
  const { bodies, cut, begin } = open();
  let seconds = 0;
  begin("slow");
  begin("steady", "a", () => seconds * 1_000);
  const end = begin("ended");
  end();
  for (; seconds < 600; seconds++) await vi.advanceTimersByTimeAsync(1_000);
  expect(cut).toEqual(["slow TOO_SLOW"]);
  expect(bodies.unfinished).toBe(1);
});

test("time in which nothing could be received because the process was busy is not the sender's", async () => {
  const { cut, begin } = open();
  begin("patient");
  // One check comes late, as it does after a long computation.
  vi.setSystemTime(Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cut).toEqual([]);
});

test("of too many unfinished bodies of one caller the slowest makes room, and no other caller's", async () => {
  const { bodies, cut, begin } = open();
  begin("other", "b");
  begin("fast", "a", () => 50_000);
  begin("slow");
  await vi.advanceTimersByTimeAsync(2_000);
  begin("new");
  begin("newer");
  expect(cut).toEqual(["slow TOO_SLOW"]);
  expect(bodies.unfinished).toBe(4);
});

test("nothing is remembered, and nothing runs, once all bodies are there", () => {
  const { bodies, begin } = open();
  const ends = [begin("one"), begin("two", "b")];
  expect(vi.getTimerCount()).toBe(1);
  for (const end of ends) end();
  expect([bodies.unfinished, vi.getTimerCount()]).toEqual([0, 0]);
});
