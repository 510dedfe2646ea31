import { expect, test } from "vitest";
import { assertRules } from "./assert-rules.ts";

const heavy = (pattern: string) => pattern.repeat(Math.floor(950 / pattern.length));

test.for<[string, string]>([
  ["patterns", `/${heavy("\\p{L}")}/`],
  ["XPath expressions", `xpath:${heavy("//*|")}//*`],
])("long %s are parsed while the event loop goes on", async ([, rule]) => {
  let turns = 0;
  setImmediate(() => turns++);
  await assertRules({ ignore: Array(3).fill(rule) });
  expect(turns).toBe(1);
});

test("rules are refused in the same words, however long the others are", async () => {
  const wrong = { code: "INVALID_INPUT", field: "ignore.1", message: expect.stringContaining("main >") };
  await expect(assertRules({ ignore: [".ad", "main >"] })).rejects.toMatchObject(wrong);
  const long = Array<string>(10).fill(`/${heavy("a|")}/`);
  await expect(assertRules({ ignore: [".ad", "main >", ...long] })).rejects.toMatchObject(wrong);
  await expect(
    assertRules({ ignore: long, values: [{ name: "a", by: "pattern", rule: "/(/" }] }),
  ).rejects.toMatchObject({ code: "INVALID_INPUT", field: "values.0.rule" });
});
