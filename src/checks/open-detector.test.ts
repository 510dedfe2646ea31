import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { Snapshot } from "#contract/capture.ts";
import { snapshotOf } from "#detection/snapshot-of.ts";
import { openDetector } from "./open-detector.ts";
import { RuleFailure, TookTooMuch } from "./took-too-much.ts";

// One thread for all that leave it as it was: a thread costs as much to start as many views.
const detector = openDetector(1);
afterAll(() => detector.close());

const page = snapshotOf("<p>one two</p>", "html", "http://watched.example/");
const forever = { selector: "xpath://p[count(for $i in 1 to 10000000000 return $i) = 0]", ignore: [] };

test("a rule that takes for ever is ended by its budget, and its thread goes on", async () => {
  await expect(detector.view({ snapshot: page, rules: forever })).rejects.toThrow(RuleFailure);
  const next = await detector.view({ snapshot: page, rules: { selector: null, ignore: ["/ two/"] } });
  expect(next.snapshot.html).toBe("<p>one</p>");
  expect(detector.load()).toMatchObject({ threads: 1, ended: 0 });
});

test("so are queries of JSON, and patterns in them", async () => {
  const json = (value: unknown) => snapshotOf(JSON.stringify(value), "json", page.url);
  const tree = (depth: number): unknown => (depth === 0 ? 1 : [tree(depth - 1), tree(depth - 1)]);
  const view = (snapshot: Snapshot, selector: string) =>
    detector.view({ snapshot, rules: { selector, ignore: [] } });
  await expect(view(json(tree(12)), "jsonpath:$..*..*..*..*")).rejects.toThrow(RuleFailure);
  const search = "jsonpath:$[?search(@, '(a+)+b')]";
  await expect(view(json(["a".repeat(60)]), search)).rejects.toThrow(RuleFailure);
});

test("what exceeds its time by itself ends its thread, and another takes its place", async () => {
  const hasty = openDetector(1, 1);
  onTestFinished(() => hasty.close());
  const large = snapshotOf(`<p>${"x ".repeat(1_000_000)}</p>`, "html", page.url);
  const rules = { selector: "p", ignore: [] };
  await expect(hasty.view({ snapshot: large, rules })).rejects.toThrow(TookTooMuch);
  await vi.waitFor(() => expect(hasty.load()).toMatchObject({ threads: 1, ended: 1 }), 10_000);
});

test("a pattern that others would never finish is done", async () => {
  const text = `${"a".repeat(100_000)}b`;
  const rules = { selector: null, ignore: ["/(a+)+$/"] };
  const seen = await detector.view({ snapshot: snapshotOf(text, "text", page.url), rules });
  expect(seen.snapshot.html).toHaveLength(text.length);
});

test("bugs are told", async () => {
  const rules = { selector: null, ignore: [1 as unknown as string] };
  await expect(detector.view({ snapshot: page, rules })).rejects.toThrow("trim");
});

test("whoever answers calls goes on answering while a capture is searched and recognized", async () => {
  const two = openDetector(2);
  onTestFinished(() => two.close());
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
    two.holdsOneOf({ source, strings }),
    two.recognize({ seen, before: null, sent: { contentType: "text/html", body } }),
  ]).finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await all).toEqual([false, { wall: null, needsScript: false }]);
  expect(turns).toBeGreaterThan(20);
});

test("closing ends what runs, and nothing starts afterwards", async () => {
  const closing = openDetector(1);
  await closing.view({ snapshot: page, rules: { selector: "p", ignore: [] } });
  const calls = [1, 2].map(() => closing.view({ snapshot: page, rules: forever }));
  await new Promise(setImmediate);
  await closing.close();
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
