import { describe, expect, test } from "vitest";
import { applyRules, readRules } from "./apply-rules.ts";
import { judgeConditions } from "./conditions.ts";
import { coverRules } from "./cover-rules.ts";
import { readValues } from "./follow.ts";
import { parseHtml } from "./html/parse-html.ts";
import { findLookups, holdsOneOf } from "./lookup.ts";
import { pickElement } from "./pick-element.ts";
import { Budget, RuleFailure } from "./rule-budget.ts";
import { Tree } from "./rules/tree.ts";
import { noRules, readSelectors, refuseRules } from "./rules.ts";
import { snapshotOf } from "./snapshot-of.ts";

const url = "http://watched.example/";
const nested = (depth: number, inner: string) => `${"<div>".repeat(depth)}${inner}${"</div>".repeat(depth)}`;
const list = "<i>word</i>".repeat(400);
const page = snapshotOf(`<main>${nested(17, list)}<p>one</p></main>`, "html", url);
const stars = (count: number) => Array(count).fill("*").join(" ");
const slow =
  "takes more than half a second of processor time on this page. Make it simpler or more specific.";

describe("a selector that takes too many steps is ended", () => {
  test.for([
    stars(20),
    `:not(${stars(20)})`,
    `main:has(p ${stars(20)}, ${stars(20)})`,
    "b ~ i ~ i ~ i",
    "b ~ i:nth-child(2n) ~ i",
    "xpath://*[count(//*[count(//*)>1])>1]",
    "xpath://i[preceding::i[following::i[preceding::i]]]",
  ])("%s", (selector) => {
    const apply = () => applyRules(page, readRules({ ...noRules, selector }));
    expect(apply).toThrow(
      expect.toSatisfy((error) => error instanceof RuleFailure && error.message.includes(slow)),
    );
  });
});

test("ordinary selectors have room on pages of 200,000 nodes", () => {
  const row = '<div class="row"><ul><li><a href="/p">Item</a><span class="price">9.99</span></li></ul></div>';
  const tree = new Tree(parseHtml(`<main>${row.repeat(28_000)}</main>`), new Budget());
  expect(tree.nodes.length).toBeGreaterThan(195_000);
  for (const selector of [".price", "main .row > ul a[href^='/p']", ".row:has(.price) li:first-child"]) {
    const [rule] = readSelectors(selector);
    expect(rule?.kind === "elements" && rule.find(tree)).toHaveLength(28_000);
  }
});

test("nodes come in the order of the page, wherever their ways meet", () => {
  const html = "<main><ul><li>1</li><li>2</li></ul><p>3</p><ul><li>4</li></ul></main><li>5</li>";
  const tree = new Tree(parseHtml(html), new Budget());
  const find = (text: string) => {
    const [rule] = readSelectors(`xpath:${text}`);
    return rule?.kind === "elements" ? rule.find(tree).map((at) => tree.nodes[at + 1]?.text) : [];
  };
  expect(find("//li")).toEqual(["1", "2", "4", "5"]);
  expect(find("//p | //ul//li | //li")).toEqual(["1", "2", "3", "4", "5"]);
  expect(find("//li[. = '5'] | //p/preceding::li | //p/following::li")).toEqual(["1", "2", "4", "5"]);
  // To ask for ways up and then for all of a text must not be taken for a question of order.
  expect(find("let $m := //main return (//li[not(ancestor::nav)])[string($m) = '1234']")).toHaveLength(4);
});

describe("patterns", () => {
  const line = "a".repeat(40_000);
  // Each of its matches looks at all that follows.
  const pattern = "/a[^b]*b|a/";
  const long = snapshotOf(`<p>${line}</p>`, "html", url);

  test("in what is ignored, looked up, followed, asked for by a condition or a trigger", () => {
    const text = [{ role: "paragraph" as const, area: "", text: line }];
    const source = { html: long.html, text };
    const missing = "/(a|[b-d]?){200}[0-9]/";
    for (const work of [
      () => applyRules(long, readRules({ ...noRules, ignore: [pattern] })),
      () => findLookups(source, source, { strings: [missing], when: "appears" }),
      () => holdsOneOf(source, [missing]),
      () => readValues([{ name: "it", by: "pattern", rule: missing }], { ...long, text }, long),
      () =>
        judgeConditions(
          { match: "all", conditions: [{ what: "text", is: "present", text: pattern }] },
          { verdict: {} as never, before: { text }, after: { text, status: 200 }, values: null },
        ),
    ])
      expect(work).toThrow(RuleFailure);
  });

  test("that repeat more than can be compiled quickly are refused when they are read", () => {
    expect(refuseRules({ ignore: ["/([a-z]{30}[0-9]{30}){50}/"] })?.reason).toMatch(/it repeats too much/);
    expect(refuseRules({ ignore: ["/(\\d{1,3}\\.){3}\\d{1,3}/", "/[^\\]{}]{2,}(a|b)+/"] })).toBeNull();
  });
});

test("the slowest of many is named where they take too long together", () => {
  const wide = snapshotOf(`<main>${"<i>word</i>".repeat(1_500)}</main>`, "html", url);
  const ignore = Array.from({ length: 50 }, (_, n) => `b.x${n} ~ i`);
  const apply = () => applyRules(wide, readRules({ selector: null, ignore }));
  expect(apply).toThrow(/^The rules of this job together take more than half a second .* The slowest is “b/);
});

test("while rules are typed, one that is too slow says so and others are counted", () => {
  const { selector, ignore } = coverRules(page, {
    selector: `${stars(20)}\np`,
    ignore: ["p", "b ~ i ~ i ~ i", "i"],
  });
  expect(selector).toEqual([
    { problem: expect.stringContaining(slow) },
    { what: "element", count: 1, words: 1 },
  ]);
  expect(ignore).toEqual([
    { what: "element", count: 1, words: 1 },
    { problem: expect.stringContaining(slow) },
    { problem: "Not tried: the rules before it take too long on this page." },
  ]);
});

test("picking an element ends with one by its place where searching for a name takes too long", () => {
  const names = (n: number) => `<b class="k${n % 7} x y z"><u class="x y"><s class="x">${n}</s></u></b>`;
  const html = `<body>${Array.from({ length: 30_000 }, (_, n) => names(n)).join("")}</body>`;
  const picked = pickElement({ ...snapshotOf(html, "html", url), kind: "html" }, 30_000);
  expect(picked).toMatchObject({ holds: false });
});
