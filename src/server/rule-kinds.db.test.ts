import { beforeAll, expect, test } from "vitest";
import { conditionNames } from "#alert-conditions/condition-kinds.ts";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { RuleTestLine } from "#contract/rule-test.ts";
import { ruleKinds } from "#detection/selectors-and-ignore-rules/rule-kinds.ts";
import { type StepKind, stepNames } from "#detection/selectors-and-ignore-rules/step-kinds.ts";

// Every kind of rule as a group's default: the job inherits it, a test on history applies it to a change that was
// alerted, and the reason why nothing would be alerted now is named. What a kind leaves of a capture is tested beside it.

type Settings = Record<string, unknown>;
/** `why`: what names the rule, among what it leaves out or as the reason why a change isn't alerted. */
type Row = { on: keyof typeof pages; rules: Settings; why: string };

const shop = (price: string, seller: string) =>
  html(...story, `Fjell lamp <b id="price">${price}</b> €`, `<span class="ad">${seller}</span>`, "The end");
const source = (build: number) => html(...story, `<!-- build ${build} -->Only`);

/** Pairs of captures that differ in one place. */
const pages = {
  seller: [shop("59.00", "Sold by Ann"), shop("59.00", "Sold by Bob")],
  price: [shop("59.00", "Sold by Ann"), shop("64.00", "Sold by Ann")],
  twice: [html("Oak", "Ash", "Ash", "Beech"), html("Oak", "Ash", "Beech")],
  first: [html("Oak", "Ash", "Beech"), html("Elm", "Ash", "Beech")],
  source: [source(1), source(2)],
  json: ['{"price":5,"seller":"Ann"}', '{"price":5,"seller":"Bob"}'],
};

const selector = (entry: string, on: Row["on"] = "seller"): Row => ({
  on,
  rules: { selector: entry },
  why: `only ${entry}`,
});
const ignore = (entry: string): Row => ({ on: "seller", rules: { ignore: [entry] }, why: entry });
const steps = (on: Row["on"], why: string, ...list: [StepKind, string?, string?][]): Row => ({
  on,
  rules: { steps: list.map(([kind, text = "", to = ""]) => ({ do: kind, text, to })) },
  why,
});
const condition = (why: string, one: Settings): Row => ({
  on: "price",
  rules: { alertIf: { match: "all", conditions: [one] } },
  why,
});
const text = (is: string, words: string, why: string) => condition(why, { what: "text", is, text: words });
const number = (is: string, amount: number, why: string) =>
  condition(why, { what: "number", name: "price", is, amount, percent: false });
const limit = (is: string, amount: number, why: string, more: Settings) =>
  condition(why, { is, amount, ...more });

const rows: Record<string, Row> = {
  "selector main, #scope": selector("#price"),
  "selector xpath://table[2]//td[3]": selector("xpath://b[@id='price']"),
  "selector xpath:count(//li)": selector("xpath:count(//p)"),
  "selector jsonpath:$.items[*].price": selector("jsonpath:$.price", "json"),
  "selector jq:.items[] | .price": selector("jq:.price", "json"),
  "ignore .ad": ignore(".ad"),
  "ignore people online": ignore("sold by"),
  'ignore "footer"': ignore('"sold by"'),
  "ignore /\\d+ (views|likes)/i": ignore("/SOLD by \\w+/i"),
  "compareAs page": { on: "seller", rules: { compareAs: "page", ignore: [".ad"] }, why: ".ad" },
  "compareAs source": {
    on: "source",
    rules: { compareAs: "source", ignore: ["/build \\d+/"] },
    why: "/build \\d+/",
  },
  keep: steps("seller", "step 1: Keep only lines with “lamp”", ["keep", "lamp"]),
  drop: steps("seller", "step 1: Leave out lines with “sold by”", ["drop", "sold by"]),
  capture: steps("seller", "step 1: Keep what a pattern captures “/lamp (\\d+)/”", [
    "capture",
    "/lamp (\\d+)/",
  ]),
  between: steps("seller", "step 1: Keep the lines between “Sentence” and “Fjell”", [
    "between",
    "Sentence",
    "Fjell",
  ]),
  replace: steps("seller", "step 1: Replace “/by \\w+/” by “by”", ["replace", "/by \\w+/", "by"]),
  trim: steps("first", "step 1: Replace “/Oak|Elm/” by “”", ["replace", "/Oak|Elm/"], ["trim"]),
  sort: steps("first", "step 2: Keep the first lines 1", ["sort"], ["first", "1"]),
  reverse: steps("first", "step 2: Keep the first lines 1", ["reverse"], ["first", "1"]),
  unique: steps("twice", "step 1: Leave out duplicate lines", ["unique"]),
  repeated: steps("twice", "step 1: Leave out repeated lines", ["repeated"]),
  first: steps("seller", "step 1: Keep the first lines 3", ["first", "3"]),
  last: steps("seller", "step 1: Keep the last lines 1", ["last", "1"]),
  "text added": text("added", "sale", "“sale” was not added"),
  "text removed": text("removed", "lamp", "“lamp” was not removed"),
  "text present": text("present", "sale", "“sale” is not there"),
  "text absent": text("absent", "lamp", "“lamp” is there"),
  "number below": number("below", 60, "price is 64, you asked for below 60"),
  "number above": number("above", 70, "price is 64, you asked for above 70"),
  "number up": number("up", 6, "price went up by 5, you asked for up by 6"),
  "number down": number("down", 0, "price went up, you asked for down"),
  status: condition("status is 200, you asked for 404", { what: "status", is: "404" }),
  severity: condition("it is notice, you asked for critical", { what: "severity", atLeast: "critical" }),
  reason: condition("it is value, text, you asked for script", { what: "reason", kinds: ["script"] }),
  "only additions": condition("nothing was added", { what: "only", is: "additions" }),
  "only removals": condition("nothing was removed", { what: "only", is: "removals" }),
  "matches above": limit("above", 1, "“lamp” occurs 1 time, you asked for above 1", {
    what: "matches",
    text: "lamp",
  }),
  "matches below": limit("below", 1, "“lamp” occurs 1 time, you asked for below 1", {
    what: "matches",
    text: "lamp",
  }),
  "characters above": limit("above", 9000, "you asked for above 9000", { what: "size", of: "characters" }),
  "characters below": limit("below", 10, "you asked for below 10", { what: "size", of: "characters" }),
  "words above": limit("above", 9000, "you asked for above 9000", { what: "size", of: "words" }),
  "words below": limit("below", 10, "you asked for below 10", { what: "size", of: "words" }),
  "lines above": limit("above", 33, "it has 33 lines, you asked for above 33", {
    what: "size",
    of: "lines",
  }),
  "lines below": limit("below", 33, "it has 33 lines, you asked for below 33", {
    what: "size",
    of: "lines",
  }),
  "similarity below": limit("below", 90, "you asked for below 90", { what: "similarity" }),
  "similarity above": limit("above", 99.9, "you asked for above 99.9", { what: "similarity" }),
};

let engine: SharedEngine;
let person: Awaited<ReturnType<SharedEngine["person"]>>;
/** For each pair of captures, the job that made them, and the two executions. */
const watched = new Map<string, Promise<{ id: string; from: string; to: string; was: boolean }>>();
beforeAll(async () => {
  engine = await sharedEngine();
  person = await engine.person();
});

async function watch(on: Row["on"]) {
  const [before = "", after = ""] = pages[on];
  await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, {});
  Object.assign(engine.site.page, { kind: on === "json" ? "json" : "html", html: before });
  const values = on === "price" ? { values: [{ name: "price", by: "selector", rule: "#price" }] } : {};
  const id = await person.createJob(on === "source" ? { compareAs: "source" } : values);
  const { id: from } = await person.execution(id, 1);
  engine.site.page.html = after;
  const { id: to, changed } = await person.run(id);
  // What the job itself says overrides its group.
  if (on === "source") await person.call("PATCH", `/api/jobs/${id}`, { compareAs: null });
  return { id, from, to, was: changed };
}

test("every kind of rule has a row here", () => {
  const named = Object.entries(ruleKinds).flatMap(([field, kinds]) =>
    kinds.map(({ example }) => `${field} ${example}`),
  );
  expect(Object.keys(rows)).toEqual([...named, ...stepNames, ...conditionNames]);
});

// What each kind of step and condition does is tested in text-steps.test.ts and conditions.test.ts. They all take the
// same way through the product, so only some of them do here; in the long set, all.
const someSteps = ["drop", "replace", "trim", "sort", "unique"];
const someConditions = [
  "text removed",
  "number up",
  "status",
  "severity",
  "reason",
  "only additions",
  "matches above",
  "lines below",
  "similarity above",
];
const left = [...stepNames, ...conditionNames].filter(
  (name) => ![...someSteps, ...someConditions].includes(name),
);
const isLong = process.env.TEST_SIZE === "long";
const tried = Object.entries(rows).filter(
  ([name]) => isLong || !left.includes(name as (typeof left)[number]),
);

test.for(tried)("%s is inherited, tried on the history, and named", async ([, row]) => {
  const job = await (watched.get(row.on) ?? watched.set(row.on, watch(row.on)).get(row.on));
  if (!job) throw new Error("not watched");
  expect(job.was).toBe(true);
  const saved = await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, row.rules);
  expect(saved.status).toBe(200);
  // Nothing of its own is tried: the job is judged by what it inherits.
  const { raw } = await person.call("POST", `/api/jobs/${job.id}/rules/try`, {});
  const lines = raw.toString().trim().split("\n");
  const all = lines.map((line) => JSON.parse(line) as RuleTestLine);
  expect(all.at(-1)).toMatchObject({ kind: "done", was: { alerts: 1 }, now: { alerts: 0, failed: 0 } });
  const outcomes = all.flatMap((line) => (line.kind === "progress" ? line.rows : []));
  const named = "alertIf" in row.rules ? outcomes.map(({ now }) => now.summary) : await rulesLeavingOut(job);
  expect(named).toContainEqual(expect.stringContaining(row.why));
});

/** The rules that leave differences out. No check compared the two in this order, so that today's rules apply. */
async function rulesLeavingOut({ id, from, to }: { id: string; from: string; to: string }) {
  const { body } = await person.call("GET", `/api/jobs/${id}/compare/left-out?from=${to}&to=${from}`);
  return (body.differences as unknown as { rule: string | null }[]).map(({ rule }) => rule);
}
