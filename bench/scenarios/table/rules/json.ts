// JSON: JSONPath and jq on bodies, on data inside pages, and on JSONP.
import { type Answer, alerted, failed, type Scenario, same } from "../../scenario.ts";
import { byRule, json, page, type RuleRow } from "./by-rule.ts";

const select = (selector: string) => ({ selector });
const shop = (price: number, stock: number, extra = "") =>
  `{"updated":${price + stock},"shop":{"name":"Fjell","items":[{"id":1,"name":"Lamp","price":${price},"tags":["new","red"]},{"id":2,"name":"Door","price":90,"stock":${stock}}]}${extra}}`;

const jq: RuleRow[] = [
  ["a path", select("jq:.shop.items[0].price"), [shop(59, 1), shop(64, 1)], alerted(["59", "64"])],
  ["a path: the rest changes", select("jq:.shop.items[0].price"), [shop(59, 1), shop(59, 2)], same],
  ["all of a list", select("jq:.shop.items[].price"), [shop(59, 1), shop(64, 1)], alerted(["64"])],
  [
    "select()",
    select("jq:.shop.items[] | select(.price > 60) | .name"),
    [shop(59, 1), shop(64, 1)],
    alerted(["Lamp"]),
  ],
  [
    "select() of what stays",
    select("jq:.shop.items[] | select(.price > 80) | .name"),
    [shop(59, 1), shop(64, 1)],
    same,
  ],
  [
    "an object is built",
    select("jq:{n: .shop.name, p: .shop.items[0].price}"),
    [shop(59, 1), shop(64, 1)],
    { is: "alerted", says: ["p: 59 → 64"] },
  ],
  [
    "objects of a list, by key path",
    select("jq:[.shop.items[] | {id, price}]"),
    [shop(59, 1), shop(64, 1)],
    alerted(["price", "64"]),
  ],
  [
    "length",
    select("jq:.shop.items | length"),
    ['{"shop":{"items":[1]}}', '{"shop":{"items":[1,2]}}'],
    alerted(["1", "2"]),
  ],
  ["keys", select("jq:keys"), ['{"a":1}', '{"a":2}'], same],
  ["keys: one is added", select('jq:keys | join(",")'), ['{"a":1}', '{"a":1,"b":1}'], alerted(["a,b"])],
  [
    "map and add",
    select("jq:[.[].n] | add"),
    ['[{"n":1},{"n":2}]', '[{"n":1},{"n":5}]'],
    alerted(["3", "6"]),
  ],
  [
    "sort_by makes the order irrelevant",
    select("jq:sort_by(.n) | map(.n)"),
    ['[{"n":1},{"n":2}]', '[{"n":2},{"n":1}]'],
    same,
  ],
  ["del leaves a key out", select("jq:del(.updated)"), ['{"updated":1,"a":1}', '{"updated":2,"a":1}'], same],
  [
    "del: another key changes",
    select("jq:del(.updated)"),
    ['{"updated":1,"a":1}', '{"updated":2,"a":3}'],
    { is: "alerted", says: ["a: 1 → 3"] },
  ],
  [
    "a text with values in it",
    select('jq:.shop.items[] | "\\(.name): \\(.price)"'),
    [shop(59, 1), shop(64, 1)],
    alerted(["Lamp: 64"]),
  ],
  [
    "to_entries",
    select("jq:to_entries[] | select(.value > 1) | .key"),
    ['{"a":1,"b":2}', '{"a":3,"b":2}'],
    alerted(["a"]),
  ],
  [
    "test() with a pattern",
    select('jq:.[] | select(test("^L"))'),
    ['["Lamp","Door"]', '["Lamp","Desk"]'],
    same,
  ],
  [
    "an alternative for what is missing",
    select('jq:.note // "none"'),
    ['{"a":1}', '{"a":1,"note":"sale"}'],
    alerted(["none", "sale"]),
  ],
  [
    "if",
    select('jq:if .stock > 0 then "yes" else "no" end'),
    ['{"stock":0}', '{"stock":4}'],
    alerted(["no", "yes"]),
  ],
  [
    "a missing path fails the check",
    select("jq:.gone.away"),
    ['{"gone":{"away":1}}', '{"other":1}'],
    failed(),
  ],
  ["@csv", select("jq:.[] | [.a, .b] | @csv"), ['[{"a":1,"b":"x"}]', '[{"a":1,"b":"y"}]'], alerted(["y"])],
  ["unique", select("jq:unique"), ["[1,2,2]", "[2,1,1]"], same],
  [
    "recursion",
    select("jq:[.. | numbers] | add"),
    ['{"a":{"b":1},"c":2}', '{"a":{"b":4},"c":2}'],
    alerted(["3", "6"]),
  ],
  [
    "words are ignored in a result",
    { selector: "jq:.", ignore: ["views"] },
    ['{"views":1,"a":1}', '{"views":2,"a":1}'],
    same,
  ],
  [
    "a value is ignored before the program runs",
    { selector: "jq:.", ignore: ["jsonpath:$.updated"] },
    ['{"updated":1,"a":1}', '{"updated":2,"a":1}'],
    same,
  ],
];

const paths: RuleRow[] = [
  ["a member", select("jsonpath:$.shop.name"), [shop(59, 1), shop(64, 1)], same],
  [
    "a filter",
    select("jsonpath:$.shop.items[?@.id == 1].price"),
    [shop(59, 1), shop(64, 1)],
    alerted(["59", "64"]),
  ],
  ["any depth", select("jsonpath:$..price"), [shop(59, 1), shop(59, 2)], same],
  ["a slice", select("jsonpath:$[0:2]"), ["[1,2,3]", "[1,2,4]"], same],
  ["an index from the end", select("jsonpath:$[-1]"), ["[1,2,3]", "[9,2,3]"], same],
  [
    "two paths",
    select("jsonpath:$.a\njsonpath:$.b"),
    ['{"a":1,"b":1,"c":1}', '{"a":1,"b":2,"c":2}'],
    { is: "alerted", says: ["b: 1 → 2"] },
  ],
  [
    "a value is ignored",
    { ignore: ["jsonpath:$..updated"] },
    ['{"x":{"updated":1},"a":1}', '{"x":{"updated":2},"a":1}'],
    same,
  ],
  [
    "the key path is told",
    {},
    ['{"a":{"b":{"c":1}}}', '{"a":{"b":{"c":2}}}'],
    { is: "alerted", says: ["a.b.c: 1 → 2"] },
  ],
  ["reformatted JSON", {}, ['{"a":1,"b":[1,2]}', '{\n "b": [1, 2],\n "a": 1\n}'], same],
  ["a path that matches nothing", select("jsonpath:$.none"), ['{"a":1}', '{"a":2}'], failed()],
];

const ld = (price: number, text = "Lamp") =>
  page(
    `<script type="application/ld+json">{"@type":"Product","name":"${text}","offers":{"price":"${price}"}}</script><p>${text} ${price % 2}</p>`,
  );
const data = (stock: number, text: string) =>
  page(`<p>${text}</p><script type="application/json" id="s">{"stock":${stock},"t":"${text}"}</script>`);
const pre = (value: number, text: string) => page(`<p>${text}</p><pre>{"value":${value}}</pre>`);

const inPages: RuleRow[] = [
  ["JSON-LD by jq", select("jq:.offers.price"), [ld(59), ld(64)], alerted(["59", "64"])],
  ["JSON-LD by JSONPath", select("jsonpath:$.offers.price"), [ld(59), ld(64)], alerted(["59", "64"])],
  ["the page around JSON-LD", select("jq:.offers.price"), [ld(59, "Lamp"), ld(59, "Door")], same],
  ["JSON in a script", select("jq:.stock"), [data(5, "a"), data(0, "a")], alerted(["5", "0"])],
  ["JSON in a script: the rest changes", select("jsonpath:$.stock"), [data(5, "a"), data(5, "b")], same],
  ["JSON shown preformatted", select("jq:.value"), [pre(1, "a"), pre(2, "a")], alerted(["1", "2"])],
  ["preformatted: the rest changes", select("jq:.value"), [pre(1, "a"), pre(1, "b")], same],
  [
    "several documents, one of them matches",
    select("jsonpath:$.stock"),
    [`${data(5, "a")}${ld(3)}`, `${data(5, "a")}${ld(4)}`],
    same,
  ],
  ["a page without JSON", select("jq:.a"), [pre(1, "a"), page("<p>a</p>")], failed()],
  [
    "a followed value by jq",
    { values: [{ name: "stock", by: "selector", rule: "jq:.stock" }], selector: "p" },
    [data(5, "a"), data(7, "a")],
    alerted(["5", "7"]),
  ],
];

const script = (body: string): Answer => ({ body, type: "text/javascript" });
const jsonp: RuleRow[] = [
  ["a callback, by jq", select("jq:.a"), ['cb({"a":1,"b":1});', 'cb({"a":2,"b":1});'], alerted(["1", "2"])],
  ["a callback, by JSONPath", select("jsonpath:$.a"), ['cb({"a":1,"b":1});', 'cb({"a":1,"b":2});'], same],
  [
    "a guarded callback",
    select("jq:.a"),
    ['/**/ my.cb_1([{"a":1}][0])', '/**/ my.cb_1([{"a":1}][0])'],
    failed(),
  ],
  [
    "a callback with another name each time",
    select("jq:.a"),
    ['cb%digits:5%({"a":1})', 'cb%digits:5%({"a":1})'],
    same,
  ],
];

export const jsonRules: Scenario[] = [
  ...byRule("rules: jq", json, jq),
  ...byRule("rules: JSONPath", json, paths),
  ...byRule("rules: JSON in pages", page, inPages),
  ...byRule("rules: JSONP", script, jsonp),
];
