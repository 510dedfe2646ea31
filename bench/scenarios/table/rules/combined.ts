// Rules as people bring them along: unusual expressions, and several kinds at once.
import type { Condition } from "#contract/alert-if.ts";
import type { TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { alerted, failed, type Scenario, same, suppressed } from "../../scenario.ts";
import { byRule, json, page, type RuleRow, text, xml } from "./by-rule.ts";

const select = (selector: string) => ({ selector });
const step = (kind: TextStep["do"], first = "", to = ""): TextStep => ({ do: kind, text: first, to });
const lines = (...all: string[]) => `<main>${all.map((line) => `<p>${line}</p>`).join("")}</main>`;
const list = (...items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
const only = (...conditions: Condition[]) => ({ match: "all" as const, conditions });

const expressions: RuleRow[] = [
  [
    "joined items, one of which changes",
    select("xpath:string-join(//li, ', ')"),
    [list("a", "b"), list("a", "c")],
    alerted(["a, b", "a, c"]),
  ],
  [
    "normalize-space() ignores spaces",
    select("xpath:normalize-space(//h1)"),
    ["<h1>Open  now</h1>", "<h1> Open now </h1>"],
    same,
  ],
  [
    "boolean() turns true",
    select("xpath:boolean(//b)"),
    ["<p>a</p>", "<p>a <b>b</b></p>"],
    alerted(["true"]),
  ],
  ["exists()", select("xpath:exists(//b)"), ["<p>a</p>", "<p>c</p>"], same],
  ["the last item", select("xpath://li[last()]"), [list("a", "b"), list("c", "b")], same],
  ["the last item changes", select("xpath://li[last()]"), [list("a", "b"), list("a", "c")], alerted(["c"])],
  [
    "a union of elements and attributes",
    select("xpath://h1 | //a/@href"),
    ['<h1>Shop</h1><a href="/1">a</a><p>x</p>', '<h1>Shop</h1><a href="/2">a</a><p>y</p>'],
    alerted(["/2"]),
  ],
  [
    "a loop over items",
    select("xpath:for $item in //li return upper-case($item)"),
    [list("a"), list("b")],
    alerted(["B"]),
  ],
  [
    "a number that is computed",
    select("xpath:sum(//td)"),
    ["<table><tr><td>1</td><td>2</td></tr></table>", "<table><tr><td>2</td><td>1</td></tr></table>"],
    same,
  ],
  ["a rounded number", select("xpath:round(number(//b))"), ["<b>1.2</b>", "<b>1.4</b>"], same],
  [
    "elements by matches() in any case",
    select("xpath://p[matches(., 'SALE', 'i')]"),
    [lines("A sale today", "x"), lines("A sale tomorrow", "y")],
    alerted(["tomorrow"]),
  ],
  [
    "replace() takes a part out",
    select("xpath:replace(//p[1], '\\d+ views', '')"),
    [lines("Lamp 3 views"), lines("Lamp 4 views")],
    same,
  ],
  ["tokens of a text", select("xpath:tokenize(//p[1], ',\\s*')"), [lines("a, b"), lines("a,b")], same],
  [
    "a following sibling",
    select("xpath://h2[.='Price']/following-sibling::p[1]"),
    ["<h2>Price</h2><p>5</p><p>x</p>", "<h2>Price</h2><p>6</p><p>x</p>"],
    alerted(["6"]),
  ],
  [
    "an expression that finds nothing fails",
    select("xpath://h2[.='Price']/text()"),
    ["<h2>Price</h2>", "<h2>Cost</h2>"],
    failed([]),
  ],
  [
    "a link list grows by one",
    select("xpath://a/@href"),
    ['<a href="/1">a</a>', '<a href="/1">a</a><a href="/2">a</a>'],
    alerted(["/2"]),
  ],
  [
    "nested :has() and :not()",
    select("li:has(b):not(.old)"),
    [
      "<ul><li><b>a</b></li><li class=old><b>x</b></li><li>q</li></ul>",
      "<ul><li><b>a</b></li><li class=old><b>y</b></li><li>r</li></ul>",
    ],
    same,
  ],
];

const together: RuleRow[] = [
  [
    "a selector, an ignore rule, steps and a condition: nothing that counts",
    {
      selector: "main",
      ignore: [".ad"],
      steps: [step("drop", "updated"), step("trim")],
      alertIf: only({ what: "only", is: "additions" }),
    },
    [
      "<main><p>Lamp</p><p class=ad>1</p><p>Updated 1</p></main><p>x</p>",
      "<main><p>Lamp </p><p class=ad>2</p><p>Updated 2</p></main><p>y</p>",
    ],
    same,
  ],
  [
    "the same: a line is added",
    {
      selector: "main",
      ignore: [".ad"],
      steps: [step("drop", "updated"), step("trim")],
      alertIf: only({ what: "only", is: "additions" }),
    },
    [
      "<main><p>Lamp</p><p class=ad>1</p><p>Updated 1</p></main>",
      "<main><p>Lamp</p><p>Door</p><p class=ad>2</p><p>Updated 2</p></main>",
    ],
    alerted(["Door"]),
  ],
  [
    "the same: a line is removed",
    {
      selector: "main",
      ignore: [".ad"],
      steps: [step("drop", "updated")],
      alertIf: only({ what: "only", is: "additions" }),
    },
    ["<main><p>Lamp</p><p>Door</p><p>Updated 1</p></main>", "<main><p>Lamp</p><p>Updated 2</p></main>"],
    suppressed([]),
  ],
  [
    "jq, then a pattern",
    { selector: "jq:.items[].name", steps: [step("capture", "/v(\\d+)/")] },
    [json('{"items":[{"name":"a v1"}],"t":1}'), json('{"items":[{"name":"b v1"}],"t":2}')],
    same,
  ],
  [
    "titles of a feed, sorted",
    { selector: "xpath://item/title", steps: [step("sort")] },
    [
      xml()("<rss><channel><item><title>a</title></item><item><title>b</title></item></channel></rss>"),
      xml()("<rss><channel><item><title>b</title></item><item><title>a</title></item></channel></rss>"),
    ],
    same,
  ],
  [
    "titles of a feed, one is new",
    { selector: "xpath://item/title", steps: [step("sort")] },
    [
      xml()("<rss><channel><item><title>a</title></item></channel></rss>"),
      xml()("<rss><channel><item><title>c</title></item><item><title>a</title></item></channel></rss>"),
    ],
    alerted(["c"]),
  ],
  [
    "the source without comments",
    { compareAs: "source", ignore: ["/<!--.*?-->/"] },
    [page("<p>a</p><!-- build 1 -->"), page("<p>a</p><!-- build 2 -->")],
    same,
  ],
  [
    "the source, lines with a word",
    { compareAs: "source", steps: [step("keep", "src=")] },
    [page('<script src="/a.js"></script>\n<p>1</p>'), page('<script src="/b.js"></script>\n<p>2</p>')],
    alerted(["/b.js"]),
  ],
  [
    "a text file between markers, in another order",
    { steps: [step("between", "[a]", "[b]"), step("sort"), step("unique")] },
    [text("[a]\nx\ny\n[b]\n1"), text("[a]\ny\nx\nx\n[b]\n2")],
    same,
  ],
  [
    "a step that leaves nothing, and then something",
    { steps: [step("keep", "sold")] },
    [lines("Lamp"), lines("Lamp sold")],
    alerted(["sold"]),
  ],
  [
    "a captured price below a limit",
    {
      steps: [step("capture", "/Price: ([\\d.]+)/")],
      values: [{ name: "price", by: "number", rule: "" }],
      alertIf: only({ what: "number", name: "price", is: "below", amount: 5, percent: false }),
    },
    [lines("Price: 6.00"), lines("Price: 5.50"), lines("Price: 4.50")],
    suppressed([]),
    alerted(["4.50"]),
  ],
  [
    "the number of lines above a limit",
    { selector: "li", alertIf: only({ what: "size", of: "lines", is: "above", amount: 2 }) },
    [list("a", "b"), list("a", "c"), list("a", "c", "d")],
    suppressed([]),
    alerted(["d"]),
  ],
];

const documents: RuleRow[] = [
  [
    "JSONP of a chosen key",
    select("jsonpath:$.price"),
    [
      { body: 'cb({"price":5,"t":1});', type: "application/javascript" },
      { body: 'cb({"price":6,"t":2});', type: "application/javascript" },
    ],
    alerted(["6"]),
  ],
  [
    "JSON in a page's script, by jq",
    select("jq:.price"),
    [
      '<script type="application/json">{"price":5,"t":1}</script><p>a</p>',
      '<script type="application/json">{"price":5,"t":2}</script><p>b</p>',
    ],
    same,
  ],
  ["JSON in pre", select("jsonpath:$.a"), ['<pre>{"a":1,"b":1}</pre>', '<pre>{"a":1,"b":2}</pre>'], same],
];

export const combinedRules: Scenario[] = [
  ...byRule("rules: expressions", page, expressions),
  ...byRule("rules: together", page, together),
  ...byRule("rules: JSON in pages", page, documents),
];
