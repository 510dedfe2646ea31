import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { snapshotOf } from "#detection/snapshot-of.ts";
import { type OpenDetector, openDetector } from "./open-detector.ts";
import { seeThrough } from "./see-through.ts";

let detector: OpenDetector;
beforeAll(() => {
  detector = openDetector(1);
});
afterAll(() => detector.close());

const url = "http://watched.example/";
const page = snapshotOf("<p>one</p><p class=ad>two</p>", "html", url);
const see = (selector: string | null, ignore: string[] = [], isAwaited = false, snapshot = page) =>
  seeThrough({ detector }, snapshot, { selector, ignore }, isAwaited);
const forever = "xpath://p[count(for $i in 1 to 10000000000 return $i) = 0]";

describe("rules that cannot be applied", () => {
  test("one that exceeds its budget fails the check and says what it is; none is left out", async () => {
    const problem = `“${forever}” takes more than half a second of processor time on this page. Make it simpler or more specific.`;
    expect(await see(forever)).toEqual({ problem, kind: "rules" });
    expect(await see(null, [".ad", forever])).toEqual({ problem, kind: "rules" });
  });

  test("one that cannot be evaluated on a page says why", async () => {
    expect(await see("xpath://p[xs:integer(.) > 3]")).toEqual({
      problem: expect.stringMatching(/^“xpath:.*” can't be evaluated on this page: .+\.$/),
      kind: "rules",
    });
  });

  test("what was saved before rules were read is told, not guessed", async () => {
    expect(await see("##[")).toEqual({
      problem: "“##[” is not understood at character 1, “##[”: This is not a CSS selector.",
      kind: "selector",
    });
    const said = "“p[” is not understood at its end: This is not a CSS selector; a text goes in quotes.";
    expect(await see(null, ["p[", ".ad"])).toMatchObject({
      view: { snapshot: { html: "<p>one</p>" } },
      lines: [{ level: "warn", meta: `Left out of this check: ${said} (ignore p[)` }],
    });
  });
});

test("a selector that matches nothing is a problem, unless it is awaited", async () => {
  expect(await see(".gone")).toEqual({
    problem: "Nothing on the page matches the selector .gone",
    kind: "selector",
  });
  expect(await see(".gone", [], true)).toMatchObject({ view: { isAbsent: true }, lines: [] });
  expect(await see("p", [], false, snapshotOf("{}", "json", url))).toEqual({
    problem: "Nothing in the JSON matches the selector p",
    kind: "selector",
  });
  expect(await see("p", [], false, snapshotOf("x", "text", url))).toEqual({
    problem: "The target is neither a web page nor JSON, so the selector matches nothing on it.",
    kind: "selector",
  });
});

test("fifty rules on ten thousand matches", { timeout: 60_000 }, async () => {
  const many = snapshotOf(
    `<main>${"<p class=ad>Only 5 left</p><p>kept</p>".repeat(10_000)}</main>`,
    "html",
    url,
  );
  const ignore = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? `.ad:not(.x${i})` : `/no match ${i}/i`));
  const seen = await seeThrough({ detector }, many, { selector: "main > p", ignore }, false);
  expect(seen).toMatchObject({
    view: { snapshot: { html: `<main>${"<p>kept</p>".repeat(10_000)}</main>` } },
    lines: [],
  });
});
