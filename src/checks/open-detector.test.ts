import { expect, onTestFinished, test } from "vitest";
import { snapshotOf } from "#detection/snapshot-of.ts";
import { openDetector } from "./open-detector.ts";

function open(size: number) {
  const detector = openDetector(size, 1_500);
  onTestFinished(() => detector.close());
  return detector;
}

const page = snapshotOf("<p>one two</p>", "html", "http://watched.example/");
const forever = { selector: "xpath://p[count(for $i in 1 to 10000000000 return $i) = 0]", ignore: [] };

test("a rule that takes for ever is given up, and the next call finds a fresh thread", async () => {
  const detector = open(1);
  const late = detector.view({ snapshot: page, rules: forever });
  // It waits longer than it may run, and its thread has to start first: neither counts.
  const next = detector.view({ snapshot: page, rules: { selector: null, ignore: ["/ two/"] } });
  expect(await late).toBeUndefined();
  expect((await next)?.snapshot.html).toBe("<p>one</p>");
});

test("a pattern that others would never finish is done", { timeout: 60_000 }, async () => {
  const detector = openDetector(1, 60_000);
  onTestFinished(() => detector.close());
  const text = `${"a".repeat(2_000_000)}b`;
  const rules = { selector: null, ignore: ["/(a+)+$/"] };
  const seen = await detector.view({ snapshot: snapshotOf(text, "text", page.url), rules });
  expect(seen?.snapshot.html).toHaveLength(text.length);
});

test("however many large pages there are, others have a thread", async () => {
  const detector = open(2);
  const large = snapshotOf(`<p>${"x ".repeat(3_000_000)}</p>`, "html", page.url);
  const late = [1, 2].map(() => detector.view({ snapshot: large, rules: forever }));
  const small = await detector.view({ snapshot: page, rules: { selector: null, ignore: ["/ two/"] } });
  expect(small?.snapshot.html).toBe("<p>one</p>");
  expect(detector.load()).toMatchObject({ busy: 1, waiting: 1 });
  expect(await Promise.all(late)).toEqual([undefined, undefined]);
});

test("bugs are told", async () => {
  const rules = { selector: null, ignore: [1 as unknown as string] };
  await expect(open(1).view({ snapshot: page, rules })).rejects.toThrow("trim");
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
  await detector.view({ snapshot: page, rules: { selector: "p", ignore: [] } });
  const calls = [1, 2].map(() => detector.view({ snapshot: page, rules: forever }));
  await new Promise(setImmediate);
  await detector.close();
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
