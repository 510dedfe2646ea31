import { expect, test } from "vitest";
import { conditionNames } from "#alert-conditions/condition-kinds.ts";
import type { Condition } from "#contract/alert-if.ts";
import { ruleKinds } from "#detection/selectors-and-ignore-rules/rule-kinds.ts";
import { stepNames } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import type { Draft } from "./draft.ts";
import { readChangedetection } from "./read-changedetection.ts";
import { readUrlwatch } from "./read-urlwatch.ts";

// Every kind of rule, as changedetection.io and webchanges write it. `null`: the tool has nothing like it.

type Given = {
  changedetection: Record<string, unknown> | null;
  webchanges: string | null;
  gives: Partial<Draft> | { rest: unknown };
};

const gives = (
  changedetection: Given["changedetection"],
  webchanges: Given["webchanges"],
  expected: Given["gives"],
): Given => ({ changedetection, webchanges, gives: expected });

const selector = (theirs: string, filter: string | null, ours: string) =>
  gives({ include_filters: [theirs] }, filter, { selector: ours });
const ignore = (watch: object, filter: string | null, ours: string) =>
  gives({ ...watch }, filter, { ignore: [ours] });
const step = (watch: object | null, filter: string | null, ours: object) =>
  gives(watch && { ...watch }, filter, { rest: { steps: [expect.objectContaining(ours)] } });
const condition = (theirs: object | null, ours: Condition | null, job: string | null = null) =>
  gives(
    theirs && { conditions: [theirs] },
    job,
    ours ? { rest: { alertIf: expect.objectContaining({ conditions: [ours] }) } } : {},
  );
const none = condition(null, null);
const filtered = (field: string, operator: string, value: string) => ({ field, operator, value });
const priced = (settings: object, is: "below" | "above" | "up" | "down", amount: number, percent = false) =>
  gives({ processor: "restock_diff", restock_settings: { in_stock_processing: "off", ...settings } }, null, {
    rest: {
      alertIf: expect.objectContaining({
        conditions: expect.arrayContaining([{ what: "number", name: "price", is, amount, percent }]),
      }),
    },
  });
const words = (operator: string, value: string, is: "above" | "below", amount: number) =>
  condition(filtered("word_count", operator, value), { what: "size", of: "words", is, amount });
const onlyNew = (is: "additions" | "removals", job: string, added: "added" | "removed") => ({
  ...gives(
    {
      filter_text_added: is === "additions",
      filter_text_removed: is === "removals",
      filter_text_replaced: false,
    },
    null,
    { rest: { alertIf: { match: "all", conditions: [{ what: "only", is }] } } },
  ),
  // There a line with a new word counts as added, too.
  alone: gives(null, `${job}: true`, {
    rest: { alertIf: { match: "all", conditions: [{ what: "text", is: added, text: "/.+/" }] } },
  }),
});
const additions = onlyNew("additions", "additions_only", "added");
const removals = onlyNew("removals", "deletions_only", "removed");

const rows: Record<string, Given | Given[]> = {
  "selector main, #scope": selector("#scope", "filters: [{css: '#scope'}]", "#scope"),
  "selector xpath://table[2]//td[3]": selector(
    "xpath://td[3]",
    "filters: [{xpath: '//td[3]'}]",
    "xpath://td[3]",
  ),
  "selector xpath:count(//li)": selector(
    "xpath:count(//li)",
    "filters: [{xpath: count(//li)}]",
    "xpath:count(//li)",
  ),
  "selector jsonpath:$.items[*].price": selector(
    "json:$.a[*].b",
    "filters: [{jsonpath: '$.a[*].b'}]",
    "jsonpath:$.a[*].b",
  ),
  "selector jq:.items[] | .price": selector("jq:.a[] | .b", "filters: [{jq: '.a[] | .b'}]", "jq:.a[] | .b"),
  "ignore .ad": ignore(
    { subtractive_selectors: [".ad"] },
    "filters: [{css: {selector: main, exclude: .ad}}]",
    ".ad",
  ),
  "ignore people online": none,
  'ignore "footer"': ignore(
    { ignore_text: ["footer"] },
    "filters: [{delete_lines_containing: footer}]",
    '"footer"',
  ),
  "ignore /\\d+ (views|likes)/i": [
    ignore({ ignore_text: ["/\\d+ views/i"] }, null, "/\\d+ views/i"),
    gives(null, "filters: [{delete_lines_containing: {re: '\\d+ views'}}]", {
      ignore: ["/^.*(\\d+ views).*$/"],
    }),
  ],
  "compareAs page": none,
  "compareAs source": gives({ url: "source:https://shop.example/" }, null, { rest: { compareAs: "source" } }),
  keep: [
    step({ extract_lines_containing: ["euro"] }, "filters: [{keep_lines_containing: euro}]", {
      do: "keep",
      text: "euro",
    }),
    step({ extract_lines_containing: ["a.b", "c"] }, null, { do: "keep", text: "/a\\.b|c/i" }),
    step(null, "filters: [{keep_lines_containing: {re: '^\\d'}}]", { do: "keep", text: "/^\\d/" }),
  ],
  drop: gives(null, "filters: [sort, {delete_lines_containing: {re: '^\\d'}}]", {
    rest: { steps: [expect.objectContaining({ do: "sort" }), { do: "drop", text: "/^\\d/", to: "" }] },
  }),
  capture: [
    step({ extract_text: ["/v(\\d+)/"] }, null, { do: "capture", text: "/v(\\d+)/" }),
    step(null, "filters: [{re.findall: {pattern: 'v(\\d+)', repl: '\\1'}}]", {
      do: "capture",
      text: "/v(\\d+)/",
      to: "$1",
    }),
  ],
  between: none,
  replace: step(null, "filters: [{re.sub: {pattern: '\\d+ ago', repl: 'lately'}}]", {
    do: "replace",
    text: "/\\d+ ago/",
    to: "lately",
  }),
  trim: step({ trim_text_whitespace: true }, null, { do: "trim" }),
  sort: step({ sort_text_alphabetically: true }, "filters: [sort]", { do: "sort" }),
  reverse: step(null, "filters: [reverse]", { do: "reverse" }),
  unique: step({ remove_duplicate_lines: true }, "filters: [{remove_repeated: {adjacent: false}}]", {
    do: "unique",
  }),
  repeated: step(null, "filters: [remove_repeated]", { do: "repeated" }),
  first: none,
  last: none,
  "text added": additions.alone,
  "text removed": removals.alone,
  "text present": [
    condition(filtered("page_filtered_text", "in", "sale"), { what: "text", is: "present", text: "sale" }),
    condition(filtered("page_filtered_text", "contains_regex", "sa.e"), {
      what: "text",
      is: "present",
      text: "/sa.e/i",
    }),
  ],
  "text absent": condition(filtered("page_filtered_text", "!in", "sale"), {
    what: "text",
    is: "absent",
    text: "sale",
  }),
  "number below": priced({ price_change_min: 10 }, "below", 10),
  "number above": priced({ price_change_max: 20 }, "above", 20),
  "number up": priced({ price_change_threshold_percent: 5 }, "up", 5, true),
  "number down": priced({ price_change_threshold_percent: 5 }, "down", 5, true),
  status: none,
  severity: none,
  reason: gives(
    { processor: "restock_diff", restock_settings: { in_stock_processing: "all_changes" } },
    null,
    {
      rest: { alertIf: { match: "all", conditions: [{ what: "reason", kinds: ["value"] }] } },
    },
  ),
  "only additions": additions,
  "only removals": removals,
  "matches above": none,
  "matches below": none,
  "characters above": none,
  "characters below": none,
  "words above": [words(">", "9", "above", 9), words(">=", "9", "above", 8)],
  "words below": [words("<", "9", "below", 9), words("<=", "9", "below", 10)],
  "lines above": none,
  "lines below": none,
  "similarity below": condition(filtered("levenshtein_ratio", "<", "0.9"), {
    what: "similarity",
    is: "below",
    amount: 90,
  }),
  "similarity above": condition(filtered("levenshtein_ratio", ">", "0.95"), {
    what: "similarity",
    is: "above",
    amount: 95,
  }),
};

test("every kind of rule has a row here", () => {
  const named = Object.entries(ruleKinds).flatMap(([field, kinds]) =>
    kinds.map(({ example }) => `${field} ${example}`),
  );
  expect(Object.keys(rows)).toEqual([...named, ...stepNames, ...conditionNames]);
});

const given = Object.entries(rows).flatMap(([kind, row]) => [row].flat().map((one) => ({ kind, ...one })));
const fromChangedetection = given.filter((row) => row.changedetection !== null);
const fromWebchanges = given.filter((row) => row.webchanges !== null);

test.for(fromChangedetection)(
  "$kind comes from changedetection.io",
  ({ changedetection, gives: expected }) => {
    const watch = { url: "https://shop.example/", ...changedetection };
    const { drafts } = readChangedetection({ watching: { a: watch }, settings: {} });
    expect(drafts).toMatchObject([{ problem: null, ...expected }]);
    expect(drafts[0]?.left.filter((note) => /isn’t supported/.test(note))).toEqual([]);
  },
);

test.for(fromWebchanges)("$kind comes from webchanges", ({ webchanges, gives: expected }) => {
  const drafts = readUrlwatch(`url: https://shop.example/\n${webchanges}\n`);
  expect(drafts).toMatchObject([{ problem: null, left: [], ...expected }]);
});
