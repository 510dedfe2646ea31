import { expect, test } from "vitest";
import type { CheckOutcome, RuleTestRow } from "#contract/rule-test.ts";
import { groupRuleTest } from "./group-rule-test.ts";

const result = (state: CheckOutcome["state"], severity: CheckOutcome["severity"] = null): CheckOutcome => ({
  state,
  severity,
  summary: "",
});
let index = 0;
const row = (was: CheckOutcome, now: CheckOutcome): RuleTestRow => ({
  id: "",
  index: ++index,
  createdAt: "",
  fromId: null,
  was,
  now,
  about: [],
});

test("lost alerts come first, the most severe before the newest", () => {
  const parts = groupRuleTest([
    row(result("alert", "notice"), result("alert", "notice")),
    row(result("alert", "notice"), result("quiet")),
    row(result("alert", "critical"), result("quiet")),
    row(result("alert", "notice"), result("quiet")),
    row(result("quiet"), result("alert", "important")),
    row(result("quiet"), result("failed")),
    row(result("failed"), result("failed")),
  ]);
  expect(parts.map(({ title, rows }) => [title, ...rows.map((one) => one.index)])).toEqual([
    ["Silenced", 3, 4, 2],
    ["No longer alerted", 6],
    ["New", 5],
    ["Alerted as before", 1],
  ]);
});
