import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { Snapshot } from "#contract/capture.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { RuleFailure, TookTooMuch } from "./limit-errors.ts";
import { openDetector } from "./open-detector.ts";

// Tests that leave the thread as it was share it: starting a thread costs as much as many views.
const detector = openDetector(1);
afterAll(() => detector.close());

const page = snapshotOf("<p>one two</p>", "html", "http://watched.example/");
const endlessRules = { selector: "xpath://p[count(for $i in 1 to 10000000000 return $i) = 0]", ignore: [] };

test("an endless rule is stopped by its budget, and its thread goes on working", async () => {
  await expect(detector.view({ snapshot: page, rules: endlessRules })).rejects.toThrow(RuleFailure);
  const next = await detector.view({ snapshot: page, rules: { selector: null, ignore: ["/ two/"] } });
  expect(next.snapshot.html).toBe("<p>one</p>");
  expect(detector.load()).toMatchObject({ threads: 1, ended: 0 });
});

test("endless JSONPath queries and patterns in them are stopped by their budget", async () => {
  const json = (value: unknown) => snapshotOf(JSON.stringify(value), "json", page.url);
  const tree = (depth: number): unknown => (depth === 0 ? 1 : [tree(depth - 1), tree(depth - 1)]);
  const view = (snapshot: Snapshot, selector: string) =>
    detector.view({ snapshot, rules: { selector, ignore: [] } });
  await expect(view(json(tree(12)), "jsonpath:$..*..*..*..*")).rejects.toThrow(RuleFailure);
  const search = "jsonpath:$[?search(@, '(a+)+b')]";
  await expect(view(json(["a".repeat(60)]), search)).rejects.toThrow(RuleFailure);
});

test("a task that exceeds its time without a rule at fault ends its thread, and a new thread replaces it", async () => {
  const impatientDetector = openDetector(1, 1);
  onTestFinished(() => impatientDetector.close());
  const large = snapshotOf(`<p>${"x ".repeat(1_000_000)}</p>`, "html", page.url);
  const rules = { selector: "p", ignore: [] };
  await expect(impatientDetector.view({ snapshot: large, rules })).rejects.toThrow(TookTooMuch);
  await vi.waitFor(() => expect(impatientDetector.load()).toMatchObject({ threads: 1, ended: 1 }), 120_000);
});

test("a thread that is blocked and can't say how much processor time it has used is replaced", async () => {
  const blocked = openDetector(1, 50, new URL("./testing/blocked-thread.ts", import.meta.url));
  onTestFinished(() => blocked.close());
  const view = () => blocked.view({ snapshot: page, rules: { selector: null, ignore: [] } });
  await expect(view()).rejects.toThrow(TookTooMuch);
  await vi.waitFor(() => expect(blocked.load()).toMatchObject({ threads: 1, busy: 0, ended: 1 }), 120_000);
});

test("a pattern that backtracking engines would never finish is applied", async () => {
  const text = `${"a".repeat(100_000)}b`;
  const rules = { selector: null, ignore: ["/(a+)+$/"] };
  const view = await detector.view({ snapshot: snapshotOf(text, "text", page.url), rules });
  expect(view.snapshot.html).toHaveLength(text.length);
});

test("an unexpected error in the thread reaches the caller", async () => {
  const rules = { selector: null, ignore: [1 as unknown as string] };
  await expect(detector.view({ snapshot: page, rules })).rejects.toThrow("trim");
});

test("the calling thread stays responsive while a capture is searched and recognized", async () => {
  const twoThreads = openDetector(2);
  onTestFinished(() => twoThreads.close());
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
  const results = Promise.all([
    twoThreads.holdsOneOf({ source, strings }),
    twoThreads.recognize({
      seen,
      before: null,
      sent: { contentType: "text/html", body },
      hasPassword: false,
    }),
  ]).finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await results).toEqual([
    false,
    { wall: null, errorWall: null, standIn: null, needsScript: false, textSketch: [expect.any(Number)] },
  ]);
  expect(turns).toBeGreaterThan(20);
});

test("an account whose rules are slow holds one thread, and another account's call doesn't wait", async () => {
  const twoThreads = openDetector(2);
  onTestFinished(() => twoThreads.close());
  const attacker = twoThreads.for("attacker");
  const attack = () => attacker.view({ snapshot: page, rules: endlessRules });
  await expect(attack()).rejects.toThrow(RuleFailure);
  const ends: string[] = [];
  const attacks = Array.from({ length: 6 }, () => attack().catch(() => ends.push("attacker")));
  // After a call that was stopped, the account's next ones wait.
  expect(twoThreads.load()).toMatchObject({ busy: 0, waiting: 6 });
  const rules = { selector: "p", ignore: [] };
  await twoThreads.for("victim").view({ snapshot: page, rules });
  ends.push("victim");
  expect(twoThreads.load().busy).toBeLessThanOrEqual(1);
  // Each of the attacker's calls takes as long as its budget, and the victim's was served before they had ended.
  expect(ends.indexOf("victim")).toBeLessThan(attacks.length);
});

test.for([
  ["rules", endlessRules, []],
  ["values", { selector: null, ignore: [] }, [{ name: "it", by: "selector", rule: endlessRules.selector }]],
] as const)("an account rests after a preview whose %s were stopped", async ([, rules, follow]) => {
  const twoThreads = openDetector(2);
  onTestFinished(() => twoThreads.close());
  const preview = () =>
    twoThreads.for("attacker").cover({
      snapshot: page,
      rules: { selector: rules.selector, ignore: [] },
      follow: [...follow],
    });
  expect(await preview()).toMatchObject({ wasStopped: true });
  void preview().catch(() => undefined);
  expect(twoThreads.load()).toMatchObject({ busy: 0, waiting: 1 });
});

test("closing a detector ends its running tasks, and no task starts afterwards", async () => {
  const closing = openDetector(1);
  await closing.view({ snapshot: page, rules: { selector: "p", ignore: [] } });
  const calls = [1, 2].map(() => closing.view({ snapshot: page, rules: endlessRules }));
  await new Promise(setImmediate);
  await closing.close();
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
