import { expect, onTestFinished, test } from "vitest";
import { openDetector } from "./open-detector.ts";

function open(size: number) {
  const detector = openDetector(size);
  onTestFinished(() => detector.close());
  return detector;
}

test("a pattern that takes for ever is given up, and the next call finds a fresh thread", async () => {
  const detector = open(1);
  const forever = detector.strip({ html: "a".repeat(40), patterns: ["/(a+)+$b/"] });
  // It waits longer than it may run, and its thread has to start first: neither counts.
  const next = detector.strip({ html: "one two", patterns: ["/ two/"] });
  expect(await forever).toBeUndefined();
  expect(await next).toBe("one");
});

test("what is no pattern is given up, other bugs are told", async () => {
  const detector = open(1);
  expect(await detector.strip({ html: "x", patterns: ["/(/"] })).toBeUndefined();
  await expect(detector.strip({ html: "x", patterns: [1 as unknown as string] })).rejects.toThrow("slice");
});

test("closing ends what runs, and nothing starts afterwards", async () => {
  const detector = openDetector(1);
  await detector.strip({ html: "", patterns: [] });
  const calls = [1, 2].map(() => detector.strip({ html: "a".repeat(40), patterns: ["/(a+)+$b/"] }));
  await new Promise(setImmediate);
  await detector.close();
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
