import { describe, expect, test } from "vitest";
import { judgeConditions } from "#alert-conditions/conditions.ts";
import { readValues } from "../followed-values/followed-values.ts";
import { parseHtml } from "../html-parsing/parse-html.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { findLookups, holdsOneOf } from "../text-lookup/lookup.ts";
import { applyRules, parseRules } from "./apply-rules.ts";
import { coverRules } from "./cover-rules.ts";
import { readPattern } from "./pattern.ts";
import { pickElement } from "./pick-element.ts";
import { Budget, RuleFailure } from "./rule-budget.ts";
import { noRules, parseSelectors, validateRules } from "./rules.ts";
import type { TextStep } from "./step-kinds.ts";
import { Tree } from "./tree.ts";

const url = "http://watched.example/";
const nested = (depth: number, inner: string) => `${"<div>".repeat(depth)}${inner}${"</div>".repeat(depth)}`;
const list = "<i>word</i>".repeat(400);
const page = snapshotOf(`<main>${nested(17, list)}<p>one</p></main>`, "html", url);
const stars = (count: number) => Array(count).fill("*").join(" ");
const slow =
  "takes more than half a second of processor time on this page. Make it simpler or more specific.";

describe("a selector that takes too much processor time is stopped", () => {
  test.for([
    stars(20),
    `:not(${stars(20)})`,
    `main:has(p ${stars(20)}, ${stars(20)})`,
    "b ~ i ~ i ~ i",
    "b ~ i:nth-child(2n) ~ i",
    "xpath://*[count(//*[count(//*)>1])>1]",
    "xpath://i[preceding::i[following::i[preceding::i]]]",
  ])("%s", (selector) => {
    const apply = () => applyRules(page, parseRules({ ...noRules, selector }));
    expect(apply).toThrow(
      expect.toSatisfy((error) => error instanceof RuleFailure && error.message.includes(slow)),
    );
  });
});

const fileOf = (lines: string[]) => snapshotOf(lines.join("\n"), "text", url);
const step = (kind: TextStep["do"], text = "", to = ""): TextStep => ({ do: kind, text, to });

// Each would otherwise make hundreds of megabytes of a small page, or take ten seconds for a sort.
test.for<[name: string, steps: TextStep[], lines: string[]]>([
  [
    "replaces words by more words again and again",
    Array(4).fill(step("replace", "a", "a".repeat(1_000))),
    ["a".repeat(1_000)],
  ],
  [
    "replaces a match by many copies of it",
    [step("replace", "/(a+)/", "$1".repeat(500))],
    ["a".repeat(300_000)],
  ],
  [
    "sorts long numbers",
    [step("sort")],
    Array.from({ length: 6_000 }, (_, n) => "7".repeat(220) + ((n * 7_919) % 6_000)),
  ],
  [
    "sorts numbers of another script",
    [step("sort")],
    Array.from({ length: 6_000 }, (_, n) => "٧".repeat(220) + ((n * 7_919) % 6_000)),
  ],
])("a step that %s is stopped", ([, steps, lines]) => {
  expect(() => applyRules(fileOf(lines), parseRules({ ...noRules, steps }))).toThrow(
    expect.toSatisfy(
      (error) => error instanceof RuleFailure && error.message.includes("half a second of processor time"),
    ),
  );
});

test.for<[what: string, pattern: string, text: string, times: number]>([
  ["as many searches", "/x/", "", 1_100_000],
  ["as many matches", "/a/", "a".repeat(1_000_000), 1],
  ["as many skipped characters", "/z/", "a".repeat(10_000_000), 60],
])("%s cost the budget, whatever they find", ([, pattern, text, times]) => {
  const find = readPattern(pattern);
  const budget = new Budget();
  const search = (count: number) => {
    for (let n = 0; n < count; n++) find?.(text, budget);
  };
  if (times > 1) search(times / 2);
  expect(() => search(times)).toThrow(RuleFailure);
});

// None of them is slow by itself: only what each line costs stops them.
describe("many cheap rules on many lines are stopped", () => {
  const lines = Array.from({ length: 250_000 }, (_, n) => `Line ${n} of a log`);
  const isTooSlow = (error: unknown) =>
    error instanceof RuleFailure && error.message.includes("more than half a second of processor time");

  test("ignored words", () => {
    const ignore = Array.from({ length: 50 }, (_, n) => `"word ${n}"`);
    expect(() => applyRules(fileOf(lines), parseRules({ ...noRules, ignore }))).toThrow(
      expect.toSatisfy(isTooSlow),
    );
  });

  test("steps", () => {
    const steps = Array<TextStep>(20).fill(step("keep", "line"));
    expect(() => applyRules(fileOf(lines), parseRules({ ...noRules, steps }))).toThrow(
      expect.toSatisfy(isTooSlow),
    );
  });

  test("strings to look for", () => {
    const text = "a".repeat(11_000_000);
    const strings = Array.from({ length: 50 }, (_, n) => `word ${n}`);
    const source = { html: text, text: [{ role: "paragraph" as const, area: "", text }] };
    expect(() => holdsOneOf(source, strings)).toThrow(expect.toSatisfy(isTooSlow));
  });
});

test("what a library takes is charged: the next rule gets what is left", () => {
  const limits: number[] = [];
  const budget = new Budget({
    interrupt: (limitMs, work) => {
      limits.push(limitMs);
      return { value: work(), ms: 300 };
    },
  });
  for (let n = 0; n < 3; n++) budget.run(() => n);
  expect(limits).toEqual([500, 200, 1]);
});

test("ordinary steps stay within the budget on 20,000 lines", () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, n) => `Item ${(n * 7_919) % 20_000} of the list costs ${n % 90} $`,
  );
  const steps = [
    step("keep", "item"),
    step("replace", "$", "Dollars"),
    step("replace", "/costs (\\d+)/", "is $1"),
    step("sort"),
    step("unique"),
    step("first", "2"),
  ];
  const { snapshot } = applyRules(fileOf(lines), parseRules({ ...noRules, steps }));
  expect(snapshot.text.map(({ text }) => text)).toEqual([
    "Item 0 of the list is 0 Dollars",
    expect.stringMatching(/^Item 1 of the list is \d+ Dollars$/),
  ]);
});

test("ordinary selectors stay within the budget on a page of 200,000 nodes", () => {
  const row = '<div class="row"><ul><li><a href="/p">Item</a><span class="price">9.99</span></li></ul></div>';
  const tree = new Tree(parseHtml(`<main>${row.repeat(28_000)}</main>`), new Budget());
  expect(tree.nodes.length).toBeGreaterThan(195_000);
  for (const selector of [".price", "main .row > ul a[href^='/p']", ".row:has(.price) li:first-child"]) {
    const [rule] = parseSelectors(selector);
    expect(rule?.kind === "elements" && rule.find(tree)).toHaveLength(28_000);
  }
});

test("XPath results are in document order, also across unions and axes", () => {
  const html = "<main><ul><li>1</li><li>2</li></ul><p>3</p><ul><li>4</li></ul></main><li>5</li>";
  const tree = new Tree(parseHtml(html), new Budget());
  const find = (text: string) => {
    const [rule] = parseSelectors(`xpath:${text}`);
    return rule?.kind === "elements" ? rule.find(tree).map((at) => tree.nodes[at + 1]?.text) : [];
  };
  expect(find("//li")).toEqual(["1", "2", "4", "5"]);
  expect(find("//p | //ul//li | //li")).toEqual(["1", "2", "3", "4", "5"]);
  expect(find("//li[. = '5'] | //p/preceding::li | //p/following::li")).toEqual(["1", "2", "4", "5"]);
  // An ancestor axis followed by the string of a whole node must not be mistaken for a comparison of order.
  expect(find("let $m := //main return (//li[not(ancestor::nav)])[string($m) = '1234']")).toHaveLength(4);
});

describe("patterns", () => {
  const line = "a".repeat(40_000);
  // Each of its matches scans the rest of the line.
  const pattern = "/a[^b]*b|a/";
  const long = snapshotOf(`<p>${line}</p>`, "html", url);

  test("a slow pattern fails in ignore rules, lookups, followed values, conditions and triggers", () => {
    const text = [{ role: "paragraph" as const, area: "", text: line }];
    const source = { html: long.html, text };
    const missing = "/(a|[b-d]?){200}[0-9]/";
    for (const work of [
      () => applyRules(long, parseRules({ ...noRules, ignore: [pattern] })),
      () => findLookups(source, source, { strings: [missing], when: "appears" }),
      () => holdsOneOf(source, [missing]),
      () => readValues([{ name: "it", by: "pattern", rule: missing }], { ...long, text }, long),
      () =>
        judgeConditions(
          { match: "all", conditions: [{ what: "text", is: "present", text: pattern }] },
          { verdict: { reasons: [] } as never, before: { text }, after: { text, status: 200 }, values: null },
        ),
    ])
      expect(work).toThrow(RuleFailure);
  });

  test("a pattern with too many repetitions to compile quickly is refused when it is parsed", () => {
    expect(validateRules({ ignore: ["/([a-z]{30}[0-9]{30}){50}/"] })?.reason).toMatch(/it repeats too much/);
    expect(validateRules({ ignore: ["/(\\d{1,3}\\.){3}\\d{1,3}/", "/[^\\]{}]{2,}(a|b)+/"] })).toBeNull();
  });
});

test("when all rules together take too long, the error names the slowest one", () => {
  const wide = snapshotOf(`<main>${"<i>word</i>".repeat(1_500)}</main>`, "html", url);
  const ignore = Array.from({ length: 50 }, (_, n) => `b.x${n} ~ i`);
  const apply = () => applyRules(wide, parseRules({ selector: null, ignore }));
  expect(apply).toThrow(/^The rules of this job together take more than half a second .* The slowest is “b/);
});

test("coverRules flags rules that are too slow and counts the others while the budget lasts", () => {
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
    { problem: "Not tested: the rules before it take too long on this page." },
  ]);
});

test("pickElement falls back to a selector by position when the search for a better one takes too long", () => {
  const names = (n: number) => `<b class="k${n % 7} x y z"><u class="x y"><s class="x">${n}</s></u></b>`;
  const html = `<body>${Array.from({ length: 30_000 }, (_, n) => names(n)).join("")}</body>`;
  const picked = pickElement({ ...snapshotOf(html, "html", url), kind: "html" }, 30_000);
  expect(picked).toMatchObject({ holds: false });
});
