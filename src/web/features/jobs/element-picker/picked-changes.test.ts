import { expect, test } from "vitest";
import { alertOn, followNumber, ignorePart, watchOnly } from "./picked-changes.ts";

const price = { name: "price", by: "selector" as const, rule: "#price" };
const own = { what: "text" as const, is: "added" as const, text: "sale" };
const job = { selector: "main", ignore: [".ad"], values: [price], alertIf: null, inherited: null };

test("a picked part changes one rule, and its undo restores what was there", () => {
  expect(watchOnly(job, "h1")).toMatchObject({ save: { selector: "h1" }, undo: { selector: "main" } });
  expect(ignorePart(job, ".banner")).toMatchObject({
    save: { ignore: [".ad", ".banner"] },
    undo: { ignore: [".ad"] },
  });
  expect(ignorePart(job, ".ad").save).toEqual({ ignore: [".ad"] });
});

test("a number is followed once, under a name that is free", () => {
  expect(followNumber(job, "#price", "€ 45.40").save.values).toEqual([price]);
  expect(followNumber(job, "#sale", "45.40 EUR").save.values).toEqual([
    price,
    { name: "price2", by: "selector", rule: "#sale" },
  ]);
  expect(followNumber(job, "#stock", "12").save.values?.[1]?.name).toBe("number");
});

test("an alert on a number is added to the conditions that apply, the group's included", () => {
  const condition = { what: "number", is: "below", name: "price", amount: 40, percent: false };
  const alert = { is: "below" as const, amount: 40 };
  expect(alertOn(job, "#price", "€ 45.40", alert)).toMatchObject({
    save: { values: [price], alertIf: { match: "any", conditions: [condition] } },
    undo: { values: [price], alertIf: null },
  });
  const inherited = { alertIf: { match: "all" as const, conditions: [own] } } as never;
  expect(alertOn({ ...job, inherited }, "#price", "€ 45.40", alert).save.alertIf).toEqual({
    match: "all",
    conditions: [own, condition],
  });
});

test("an alert on a text is a condition that follows no number", () => {
  expect(alertOn(job, ".stock", "Sold out", { is: "removed", text: "Sold out" })).toMatchObject({
    save: { alertIf: { match: "any", conditions: [{ what: "text", is: "removed", text: "Sold out" }] } },
    undo: { alertIf: null },
  });
  expect(alertOn(job, ".stock", "Sold out", { is: "added", text: "In stock" }).save).not.toHaveProperty(
    "values",
  );
});
