import { expect, test } from "vitest";
import type { AlertIf, Condition } from "#contract/alert-if.ts";
import { addFollowedValues } from "#detection/followed-values/add-followed-values.ts";
import type { Value, Values } from "#detection/followed-values/followed-values.ts";
import type { Change, Reason, ReasonKind, Severity, Verdict } from "#detection/verdict/verdict.ts";
import { judgeConditions, type Seen, validateConditions, watchesStatus } from "./conditions.ts";

const verdictOf = (...reasons: Reason[]): Verdict => ({
  changed: reasons.length > 0,
  folded: false,
  often: [],
  similarity: 90,
  severity: reasons[0]?.severity ?? "info",
  summary: reasons[0]?.summary ?? "No change",
  reasons,
  findings: [],
  hunks: [],
  regions: [],
  ignored: [],
  ignoredCount: 0,
});
const reason = (kind: ReasonKind, severity: Severity, ...changes: Partial<Change>[]): Reason => ({
  kind,
  severity,
  summary: `a ${kind}`,
  changes: changes.map((change) => ({ where: "", before: null, after: null, ...change })),
  count: changes.length,
});
const value = (number: number | null, last?: number): Value => ({
  text: number === null ? null : String(number),
  number,
  ...(last === undefined ? {} : { last }),
});
const text = (...lines: string[]) => ({
  text: lines.map((line) => ({ role: "paragraph" as const, area: "", text: line })),
});
const inputWith = (more: Partial<Seen> = {}): Seen => ({
  verdict: verdictOf(reason("text", "notice", { before: "a", after: "b" })),
  before: text("Lamp 59", "In stock"),
  after: { ...text("Lamp 64", "Sold  out since May"), status: 200 },
  values: null,
  ...more,
});
const price = (before: Value, after: Value): Partial<Seen> => ({
  values: { before: { price: before }, after: { price: after } },
});
const number = (is: "below" | "above" | "up" | "down", amount = 0, percent = false): Condition => ({
  what: "number",
  name: "price",
  is,
  amount,
  percent,
});

/** Why a change is suppressed; null if it is alerted. */
const whyNot = (alertIf: AlertIf, seen: Seen) => judgeConditions(alertIf, seen).untold ?? null;

test.for<[condition: Condition, why: string | null, input?: Partial<Seen>]>([
  [{ what: "text", is: "added", text: "sold OUT" }, null],
  [{ what: "text", is: "added", text: "/out since \\w+/" }, null],
  [{ what: "text", is: "added", text: "lamp" }, "“lamp” was not added"],
  [{ what: "text", is: "removed", text: "in stock" }, null],
  [{ what: "text", is: "removed", text: "sold out" }, "“sold out” was not removed"],
  [{ what: "text", is: "present", text: "lamp" }, null],
  [{ what: "text", is: "present", text: "in stock" }, "“in stock” is not there"],
  [{ what: "text", is: "absent", text: "in stock" }, null],
  [{ what: "text", is: "absent", text: "/Lamp/" }, "“/Lamp/” is there"],
  [number("below", 60), null, price(value(64), value(59))],
  [number("below", 59), "price is 59, you asked for below 59", price(value(64), value(59))],
  [number("above", 58.5), null, price(value(64), value(59))],
  [number("above", 60), "price is 59, you asked for above 60", price(value(64), value(59))],
  [number("down"), null, price(value(64), value(59))],
  [number("down"), "price went up, you asked for down", price(value(59), value(64))],
  [number("up"), null, price(value(59), value(64))],
  [number("up"), "price did not change", price(value(59), value(59))],
  [number("down", 0.3), null, price(value(0.4), value(0.1))],
  [number("down", 6), "price went down by 5, you asked for down by 6", price(value(64), value(59))],
  [number("up", 10, true), null, price(value(50), value(55))],
  [number("up", 10, true), "price went up by 8%, you asked for up by 10%", price(value(50), value(54))],
  [number("up", 10, true), null, price(value(0), value(1))],
  [number("below", 60), "price is missing", price(value(64), value(null))],
  [number("down"), null, price(value(null, 64), value(59))],
  [number("down"), "price was missing before", price(value(null), value(59))],
  [number("down"), "price is missing", price(value(59), value(null))],
  // Since the last alert, many small steps count together; at this check the value must move that way, too.
  [number("down", 10, true), null, price(value(95), { ...value(90), alerted: 100 })],
  [number("down", 10), null, price(value(95), { ...value(90), alerted: 100 })],
  [
    number("down", 10, true),
    "price went down by 2.1% (by 7% since the last alert), you asked for down by 10%",
    price(value(95), { ...value(93), alerted: 100 }),
  ],
  [
    number("down", 10, true),
    "price went up, you asked for down by 10%",
    price(value(80), { ...value(85), alerted: 100 }),
  ],
  [number("up", 10, true), null, price(value(105), { ...value(110), alerted: 100 })],
  [{ what: "status", is: "200" }, null],
  [{ what: "status", is: "2xx" }, null],
  [{ what: "status", is: "404" }, "status is 200, you asked for 404"],
  [{ what: "status", is: "5XX" }, "status is 200, you asked for 5XX"],
  [{ what: "severity", atLeast: "notice" }, null],
  [{ what: "severity", atLeast: "important" }, "it is notice, you asked for important or higher"],
  [{ what: "reason", kinds: ["script", "text"] }, null],
  [{ what: "reason", kinds: ["script", "form"] }, "it is text, you asked for script, form"],
  [{ what: "only", is: "additions" }, "nothing was added"],
  [{ what: "only", is: "additions" }, null, { verdict: verdictOf(reason("text", "notice", { after: "b" })) }],
  [
    { what: "only", is: "removals" },
    "nothing was removed",
    { verdict: verdictOf(reason("text", "notice", { after: "b" })) },
  ],
  [{ what: "only", is: "removals" }, null, { verdict: verdictOf(reason("text", "notice", { before: "b" })) }],
  [
    { what: "only", is: "additions" },
    null,
    {
      verdict: verdictOf(
        reason(
          "text",
          "notice",
          { before: "a", after: "a b", words: [{ op: "added", text: " b" }] },
          { before: "c", after: "c", moved: true },
        ),
        reason("picture", "notice", { before: "x", after: "y" }),
        reason("meta", "info", { before: "x" }),
      ),
    },
  ],
])("condition %o, reason for no alert: %s", ([condition, why, more]) => {
  expect(whyNot({ match: "all", conditions: [condition] }, inputWith(more))).toBe(why);
});

test("match all needs every condition, match any needs one of them", () => {
  const conditions: Condition[] = [
    { what: "status", is: "404" },
    { what: "text", is: "present", text: "lamp" },
    { what: "severity", atLeast: "critical" },
  ];
  const judge = (match: "all" | "any", some = conditions) => whyNot({ match, conditions: some }, inputWith());
  expect(judge("all")).toBe("status is 200, you asked for 404");
  expect(judge("any")).toBeNull();
  expect(
    judge(
      "any",
      conditions.filter(({ what }) => what !== "text"),
    ),
  ).toBe("status is 200, you asked for 404; it is notice, you asked for critical");
  expect(judge("all", [])).toBeNull();
});

test("the conditions that a change meets are named", () => {
  const present: Condition = { what: "text", is: "present", text: "lamp" };
  const added: Condition = { what: "text", is: "added", text: "sold out" };
  const absent: Condition = { what: "text", is: "absent", text: "lamp" };
  const met = (match: "all" | "any", ...conditions: Condition[]) =>
    judgeConditions({ match, conditions }, inputWith()).met;
  expect(met("all", present, added)).toBe("‘lamp’ present and ‘sold out’ added");
  expect(met("any", absent, added)).toBe("‘sold out’ added");
  expect(met("all", absent, added)).toBeUndefined();
  const down = inputWith(price(value(59), value(50)));
  expect(judgeConditions({ match: "all", conditions: [number("below", 55)] }, down).met).toBe(
    "price below 55",
  );
});

test("what the text lookup finds is alerted, whatever the conditions", () => {
  const never: Condition = { what: "status", is: "404" };
  const found = inputWith({ verdict: verdictOf(reason("lookup", "important"), reason("text", "notice")) });
  expect(judgeConditions({ match: "all", conditions: [never] }, found)).toEqual({});
});

test("a group's condition on a value applies only to jobs that follow it", () => {
  const added: Condition = { what: "text", is: "added", text: "lamp" };
  const judge = (conditions: Condition[], more: Partial<Seen> = {}) =>
    judgeConditions({ match: "all", conditions }, inputWith(more));
  expect(judge([number("below", 50)])).toEqual({});
  expect(judge([number("below", 50)], price(value(59), value(58))).untold).toContain("price is 58");
  expect(judge([number("below", 50), added]).untold).toBe("“lamp” was not added");
});

test("a product that is back in stock is alerted, whatever the conditions", () => {
  const stock = (words: string): Values => ({ stock: { text: words, number: null } });
  const back = { before: stock("out of stock"), after: stock("in stock") };
  const never: Condition = { what: "status", is: "404" };
  expect(whyNot({ match: "all", conditions: [never] }, inputWith({ values: back }))).toBeNull();
  const gone = { before: back.after, after: back.before };
  expect(whyNot({ match: "all", conditions: [never] }, inputWith({ values: gone }))).not.toBeNull();
  const restocked = addFollowedValues({ ...verdictOf(), folded: true }, back.before, back.after);
  expect(restocked).toMatchObject({ changed: true, folded: false, severity: "important" });
  expect(restocked.summary).toBe("Back in stock: it was out of stock");
});

test("a changed followed value is a change by itself, and is summarized once", () => {
  const at = (number: number | null) => ({ price: value(number) });
  expect(addFollowedValues(verdictOf(), at(59), at(59))).toEqual(verdictOf());
  expect(addFollowedValues(verdictOf(), at(59), at(64)).summary).toBe("price 59 → 64");
  expect(addFollowedValues(verdictOf(), at(59), at(null)).summary).toBe("price is missing, it was 59");
  expect(addFollowedValues(verdictOf(), at(null), at(64)).summary).toBe("price is there again: 64");
  // A value that was only just added has nothing to be compared with.
  expect(addFollowedValues(verdictOf(), {}, at(64)).changed).toBe(false);
  const same = verdictOf(reason("text", "notice", { before: "Lamp 59 €", after: "Lamp 64 €" }));
  expect(addFollowedValues(same, at(59), at(64)).summary).toBe("price 59 → 64");
  const more = verdictOf(reason("script", "important", { after: "x.js" }));
  expect(addFollowedValues(more, at(59), at(64))).toMatchObject({
    summary: "price 59 → 64; a script",
    severity: "important",
  });
});

test.for<[conditions: Condition[], at: number | null, reason?: string]>([
  [
    [number("below", 10), number("above", 20)],
    1,
    "No change can be both “price below 10” and “price above 20”.",
  ],
  [[number("above", 10), number("below", 20)], null],
  [[number("up"), number("down", 5, true)], 1, "No change can be both “price up” and “price down by 5%”."],
  [
    [
      { what: "text", is: "present", text: "a" },
      { what: "text", is: "absent", text: "A " },
    ],
    1,
  ],
  [
    [
      { what: "status", is: "404" },
      { what: "status", is: "4xx" },
    ],
    null,
  ],
  [
    [
      { what: "status", is: "404" },
      { what: "status", is: "403" },
    ],
    1,
  ],
  [
    [
      { what: "only", is: "additions" },
      { what: "only", is: "removals" },
    ],
    1,
  ],
  [[{ what: "status", is: "999" }], 0, "“999” isn’t a status. Use a code like 404 or a class like 5xx."],
  [[{ what: "reason", kinds: [] }], 0, "Choose at least one kind."],
  [[{ what: "text", is: "added", text: "/(/" }], 0],
  [[{ ...(number("up") as object), name: "weight" } as Condition], 0, "No value named weight is followed."],
  [
    [number("below", 10, true)],
    0,
    "“below” compares with a number, not a percentage: remove the percent sign, or use “up” or “down”.",
  ],
  [[number("down", 101, true)], 0, "A value can’t go down by more than 100%."],
  [[number("up", -1)], 0],
])("conditions %o are refused at %s", ([conditions, at, reason]) => {
  const refused = validateConditions({ match: "all", conditions }, ["price"]);
  expect(refused?.at ?? null).toBe(at);
  expect(refused?.reason ?? "").toContain(reason ?? "");
});

test("conditions don't contradict each other if any one of them is enough", () => {
  expect(
    validateConditions({ match: "any", conditions: [number("up"), number("down")] }, ["price"]),
  ).toBeNull();
});

test("on an error page only the status is judged, never the content", () => {
  const gone: Partial<Seen> = {
    isError: true,
    verdict: verdictOf(reason("status", "important", { before: "200", after: "503" })),
    after: { ...text("Something broke."), status: 503 },
    values: {
      before: { price: value(59) },
      after: { price: value(null) },
    },
  };
  const why = "the server answered 503, which says nothing about the content";
  const judge = (condition: Condition) => whyNot({ match: "all", conditions: [condition] }, inputWith(gone));
  expect(judge({ what: "text", is: "removed", text: "in stock" })).toBe(why);
  expect(judge({ what: "text", is: "absent", text: "in stock" })).toBe(why);
  expect(judge(number("below", 100))).toBe(why);
  expect(judge({ what: "only", is: "removals" })).toBe(why);
  expect(judge({ what: "status", is: "5xx" })).toBeNull();
  expect(judge({ what: "reason", kinds: ["status"] })).toBeNull();
});

test("watchesStatus is true only if a condition asks for that status or for status changes", () => {
  const watches = (condition: Condition, status: number) =>
    watchesStatus({ match: "all", conditions: [condition] }, status);
  expect(watches({ what: "status", is: "404" }, 404)).toBe(true);
  expect(watches({ what: "status", is: "4xx" }, 404)).toBe(true);
  expect(watches({ what: "status", is: "200" }, 404)).toBe(false);
  expect(watches({ what: "reason", kinds: ["text", "status"] }, 500)).toBe(true);
  expect(watches({ what: "text", is: "absent", text: "x" }, 404)).toBe(false);
  expect(watchesStatus(null, 404)).toBe(false);
});
