// Steps: what is done with the lines of what is compared.
import type { TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { alerted, type Scenario, same } from "../../scenario.ts";
import { byRule, json, page, type RuleRow, text, xml } from "./by-rule.ts";

const step = (kind: TextStep["do"], first = "", to = ""): TextStep => ({ do: kind, text: first, to });
const steps = (...all: TextStep[]) => ({ steps: all });
const lines = (...all: string[]) => all.map((line) => `<p>${line}</p>`).join("");

const kinds: RuleRow[] = [
  [
    "keep lines with a text",
    steps(step("keep", "price")),
    [lines("Price: 5", "Views: 1"), lines("Price: 5", "Views: 2")],
    same,
  ],
  [
    "a kept line changes",
    steps(step("keep", "price")),
    [lines("Price: 5", "Views: 1"), lines("Price: 6", "Views: 2")],
    alerted(["Price: 6"]),
  ],
  ["keep lines by a pattern", steps(step("keep", "/^v\\d/")), [lines("v1", "x1"), lines("v1", "x2")], same],
  [
    "a line begins to match",
    steps(step("keep", "/in stock/i")),
    [lines("Lamp: sold", "a"), lines("Lamp: In stock", "a")],
    alerted(["In stock"]),
  ],
  [
    "no line matches any more",
    steps(step("keep", "stock")),
    [lines("Lamp in stock", "a"), lines("Lamp sold", "a")],
    alerted(["Lamp in stock"]),
  ],
  [
    "drop lines with a text",
    steps(step("drop", "updated")),
    [lines("Lamp", "Updated 1"), lines("Lamp", "Updated 2")],
    same,
  ],
  [
    "drop lines by a pattern",
    steps(step("drop", "/\\d+ (views|likes)/")),
    [lines("Lamp", "3 likes"), lines("Lamp", "4 likes")],
    same,
  ],
  [
    "what isn't dropped",
    steps(step("drop", "updated")),
    [lines("Lamp", "Updated 1"), lines("Door", "Updated 2")],
    alerted(["Door"]),
  ],
  [
    "capture a group",
    steps(step("capture", "/Price: (\\d+)/")),
    [lines("Price: 5 on Monday"), lines("Price: 5 on Friday")],
    same,
  ],
  [
    "a captured group changes",
    steps(step("capture", "/Price: (\\d+)/")),
    [lines("Price: 5 on Monday"), lines("Price: 6 on Monday")],
    { is: "alerted", says: ["“5” → “6”"] },
  ],
  [
    "capture without groups",
    steps(step("capture", "/v\\d+\\.\\d+/")),
    [lines("Released v1.2 today"), lines("Released v1.3 today")],
    { is: "alerted", says: ["“v1.2” → “v1.3”"] },
  ],
  [
    "capture two groups",
    steps(step("capture", "/(\\w+) costs (\\d+)/")),
    [lines("Lamp costs 5 now"), lines("Lamp costs 7 now")],
    alerted(["Lamp 7"]),
  ],
  [
    "capture two groups in another form",
    steps(step("capture", "/(\\w+) costs (\\d+)/", "$2 € for $1")),
    [lines("Lamp costs 5 now"), lines("Lamp costs 7 now")],
    alerted(["7 € for Lamp"]),
  ],
  [
    "capture all of a match with groups",
    steps(step("capture", "/v(\\d+)\\.(\\d+)/", "$0")),
    [lines("Released v1.2 today"), lines("Released v1.3 today")],
    { is: "alerted", says: ["“v1.2” → “v1.3”"] },
  ],
  [
    "capture in a form that leaves a group out",
    steps(step("capture", "/(\\w+) costs (\\d+)/", "costs $2$9")),
    [lines("Lamp costs 5"), lines("Door costs 5")],
    same,
  ],
  [
    "capture several matches of a line",
    steps(step("capture", "/#(\\w+)/")),
    [lines("#red and #blue"), lines("#red or #blue")],
    same,
  ],
  [
    "the lines between two markers",
    steps(step("between", "Begin", "End")),
    [lines("1", "Begin", "a", "End", "2"), lines("3", "Begin", "a", "End", "4")],
    same,
  ],
  [
    "a line between two markers changes",
    steps(step("between", "Begin", "End")),
    [lines("Begin", "a", "End"), lines("Begin", "b", "End")],
    alerted(["b"]),
  ],
  [
    "between, with patterns",
    steps(step("between", "/^== News/", "/^==/")),
    [lines("== News", "a", "== Ads", "1"), lines("== News", "a", "== Ads", "2")],
    same,
  ],
  [
    "between, to the end",
    steps(step("between", "Changelog", "")),
    [lines("1", "Changelog", "a"), lines("2", "Changelog", "a")],
    same,
  ],
  ["replace words", steps(step("replace", "Mon", "day")), [lines("Open Mon"), lines("Open day")], same],
  [
    "replace by a pattern",
    steps(step("replace", "/\\d+ views/", "views")),
    [lines("Lamp 3 views"), lines("Lamp 4 views")],
    same,
  ],
  [
    "replace and keep a group",
    steps(step("replace", "/(\\d+)\\.\\d\\d €/", "$1 €")),
    [lines("Lamp 5.10 €"), lines("Lamp 5.20 €")],
    same,
  ],
  [
    "sort makes the order irrelevant",
    steps(step("sort")),
    [lines("a1", "b1", "c1"), lines("c1", "a1", "b1")],
    same,
  ],
  [
    "a line is added to a sorted list",
    steps(step("sort")),
    [lines("a", "c"), lines("c", "b", "a")],
    { is: "alerted", says: ["“b” added"] },
  ],
  [
    "numbers in a sorted list",
    steps(step("sort")),
    [lines("item 10", "item 9"), lines("item 9", "item 10")],
    same,
  ],
  ["unique lines", steps(step("unique")), [lines("a", "b", "a"), lines("a", "b", "b")], same],
  ["a repeated line", steps(step("repeated")), [lines("a", "a", "b"), lines("a", "b", "b")], same],
  [
    "repeated lines that aren't neighbors stay",
    steps(step("repeated")),
    [lines("a", "b"), lines("a", "b", "a")],
    alerted(["a"]),
  ],
  ["trim", steps(step("replace", "x", " "), step("trim")), [lines("xax", "b"), lines("a", "b")], same],
  ["the first lines", steps(step("first", "2")), [lines("a", "b", "c"), lines("a", "b", "d")], same],
  ["one of the first lines", steps(step("first", "2")), [lines("a", "b"), lines("a", "z")], alerted(["z"])],
  ["the last lines", steps(step("last", "1")), [lines("a", "b"), lines("z", "b")], same],
  ["reverse", steps(step("reverse"), step("first", "1")), [lines("a", "z"), lines("b", "z")], same],
];

const together: RuleRow[] = [
  [
    "keep, then capture",
    steps(step("keep", "Lamp"), step("capture", "/\\d+ €/")),
    [lines("Lamp 5 €", "Door 9 €"), lines("Lamp 5 €", "Door 8 €")],
    same,
  ],
  [
    "capture, then sort, then unique",
    steps(step("capture", "/v\\d/"), step("sort"), step("unique")),
    [lines("v2 v1", "v1"), lines("v1", "v2 v2")],
    same,
  ],
  [
    "the order of steps counts",
    steps(step("first", "1"), step("sort")),
    [lines("b", "a"), lines("c", "a")],
    alerted(["c"]),
  ],
  [
    "after a selector",
    { selector: ".l", steps: [step("keep", "x")] },
    ["<p class=l>x1</p><p class=l>y1</p><p>x5</p>", "<p class=l>x1</p><p class=l>y2</p><p>x6</p>"],
    same,
  ],
  [
    "after ignore rules",
    { ignore: ["/\\d+ views/"], steps: [step("keep", "Lamp")] },
    [lines("Lamp 3 views", "a"), lines("Lamp 4 views", "b")],
    same,
  ],
  [
    "after XPath values",
    { selector: "xpath://a/@href", steps: [step("drop", "session")] },
    ['<a href="/x">a</a><a href="/session/1">b</a>', '<a href="/x">a</a><a href="/session/2">b</a>'],
    same,
  ],
  [
    "a condition on what is left",
    {
      steps: [step("keep", "Lamp")],
      alertIf: { match: "all", conditions: [{ what: "text", is: "added", text: "sold" }] },
    },
    [lines("Lamp here", "Door"), lines("Lamp sold", "Door")],
    alerted(["sold"]),
  ],
];

const files: RuleRow[] = [
  [
    "lines of a text file",
    steps(step("keep", "Contact")),
    [text("Contact: a\nExpires: 1"), text("Contact: a\nExpires: 2")],
    same,
  ],
  ["a sorted text file", steps(step("sort")), [text("b\na"), text("a\nb")], same],
  [
    "values of JSON",
    steps(step("keep", "price")),
    [json('{"price":5,"views":1}'), json('{"price":5,"views":2}')],
    same,
  ],
  [
    "a value of JSON",
    steps(step("keep", "price")),
    [json('{"price":5,"views":1}'), json('{"price":6,"views":1}')],
    alerted(["price: 6"]),
  ],
  [
    "lines of XML",
    steps(step("capture", "/v\\d+/")),
    [xml()("<r><t>Version v1 &amp; more</t></r>"), xml()("<r><t>Version v2 &amp; more</t></r>")],
    alerted(["v2"]),
  ],
  [
    "entities of XML",
    steps(step("keep", "/^A & B$/")),
    [xml()("<r><t>A &amp; B</t><u>1</u></r>"), xml()("<r><t>A &amp; B</t><u>2</u></r>")],
    same,
  ],
  [
    "a CSV, by column",
    steps(step("capture", "/^([^,]+),/")),
    [text("lamp,5\ndoor,9"), text("lamp,6\ndoor,8")],
    same,
  ],
];

export const stepRules: Scenario[] = [
  ...byRule("rules: steps", page, kinds),
  ...byRule("rules: steps together", page, together),
  ...byRule("rules: steps on files", text, files),
];
