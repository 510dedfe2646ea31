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

test("whoever answers calls goes on answering while a capture is searched and recognized", async () => {
  const detector = open(2);
  const html = "a".repeat(2_000_000);
  const strings = Array.from({ length: 20 }, (_, i) => `${"a".repeat(400 + i)}b`);
  const text = [{ role: "other" as const, area: "", text: html }];
  const source = { html, text };
  const body = Buffer.from(`<p>${html}</p>`);
  const seen = {
    status: 403,
    headers: [],
    title: "",
    html: "/cdn-cgi/challenge-platform/".repeat(200_000),
    text,
    forms: [],
    finalUrl: "https://example.com/",
    kind: "html" as const,
  };
  let isDone = false;
  const all = Promise.all([
    detector.holdsOneOf({ source, strings }),
    detector.recognize({ seen, before: null, sent: { contentType: "text/html", body } }),
  ]).finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await all).toEqual([false, { wall: null, needsScript: false }]);
  expect(turns).toBeGreaterThan(20);
});

test("closing ends what runs, and nothing starts afterwards", async () => {
  const detector = openDetector(1);
  await detector.strip({ html: "", patterns: [] });
  const calls = [1, 2].map(() => detector.strip({ html: "a".repeat(40), patterns: ["/(a+)+$b/"] }));
  await new Promise(setImmediate);
  await detector.close();
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
