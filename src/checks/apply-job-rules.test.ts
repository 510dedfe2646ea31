import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { applyJobRules } from "./apply-job-rules.ts";
import { type OpenDetector, openDetector } from "./detection-threads/open-detector.ts";

let detector: OpenDetector;
beforeAll(() => {
  detector = openDetector(1);
});
afterAll(() => detector.close());

const url = "http://watched.example/";
const page = snapshotOf("<p>one</p><p class=ad>two</p>", "html", url);
const applyRules = (selector: string | null, ignore: string[] = [], isAwaited = false, snapshot = page) =>
  applyJobRules({ detector }, snapshot, { selector, ignore }, isAwaited);
const endlessRule = "xpath://p[count(for $i in 1 to 10000000000 return $i) = 0]";

describe("rules that cannot be applied", () => {
  test("a rule that exceeds its budget fails the check, which names the rule instead of leaving it out", async () => {
    const problem = `“${endlessRule}” takes more than half a second of processor time on this page. Make it simpler or more specific.`;
    expect(await applyRules(endlessRule)).toEqual({ problem, kind: "rules" });
    expect(await applyRules(null, [".ad", endlessRule])).toEqual({ problem, kind: "rules" });
  });

  test("a rule that can't be evaluated on a page fails the check, which says why", async () => {
    expect(await applyRules("xpath://p[xs:integer(.) > 3]")).toEqual({
      problem: expect.stringMatching(/^“xpath:.*” can't be evaluated on this page: .+\.$/),
      kind: "rules",
    });
  });

  test("an invalid rule that was saved before rules were validated is reported, not guessed", async () => {
    expect(await applyRules("##[")).toEqual({
      problem: "“##[” is not understood at character 1, “##[”: This is not a CSS selector.",
      kind: "selector",
    });
    const explanation =
      "“p[” is not understood at its end: This is not a CSS selector; a text goes in quotes.";
    expect(await applyRules(null, ["p[", ".ad"])).toMatchObject({
      view: { snapshot: { html: "<p>one</p>" } },
      lines: [{ level: "warn", meta: `Left out of this check: ${explanation} (ignore p[)` }],
    });
  });
});

test("a selector that matches nothing is a problem, unless the job waits for its element", async () => {
  expect(await applyRules(".gone")).toEqual({
    problem: "Nothing on the page matches the selector .gone",
    kind: "selector",
  });
  expect(await applyRules(".gone", [], true)).toMatchObject({ view: { isAbsent: true }, lines: [] });
  expect(await applyRules("p", [], false, snapshotOf("{}", "json", url))).toEqual({
    problem: "Nothing in the JSON matches the selector p",
    kind: "selector",
  });
  expect(await applyRules("p", [], false, snapshotOf("x", "text", url))).toEqual({
    problem: "The target is neither a web page nor XML nor JSON, so the selector matches nothing on it.",
    kind: "selector",
  });
});

test("fifty rules with ten thousand matches are applied", async () => {
  const largePage = snapshotOf(
    `<main>${"<p class=ad>Only 5 left</p><p>kept</p>".repeat(10_000)}</main>`,
    "html",
    url,
  );
  const ignore = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? `.ad:not(.x${i})` : `/no match ${i}/i`));
  const result = await applyJobRules({ detector }, largePage, { selector: "main > p", ignore }, false);
  expect(result).toMatchObject({
    view: { snapshot: { html: `<main>${"<p>kept</p>".repeat(10_000)}</main>` } },
    lines: [],
  });
});
