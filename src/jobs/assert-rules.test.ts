import { expect, test } from "vitest";
import { assertRules } from "./assert-rules.ts";

const fillRule = (pattern: string) => pattern.repeat(Math.floor(950 / pattern.length));

test.for<[string, string]>([
  ["patterns", `/${fillRule("\\p{L}")}/`],
  ["XPath expressions", `xpath:${fillRule("//*|")}//*`],
])("parsing long %s doesn't block the event loop", async ([, rule]) => {
  let turns = 0;
  setImmediate(() => turns++);
  await assertRules({ ignore: Array(3).fill(rule) });
  expect(turns).toBe(1);
});

test("an invalid rule gives the same error, however long the other rules are", async () => {
  const expectedError = {
    code: "INVALID_INPUT",
    field: "ignore.1",
    message: expect.stringContaining("main >"),
  };
  await expect(assertRules({ ignore: [".ad", "main >"] })).rejects.toMatchObject(expectedError);
  const long = Array<string>(10).fill(`/${fillRule("a|")}b/`);
  await expect(assertRules({ ignore: [".ad", "main >", ...long] })).rejects.toMatchObject(expectedError);
  await expect(
    assertRules({ ignore: long, values: [{ name: "a", by: "pattern", rule: "/(/" }] }),
  ).rejects.toMatchObject({ code: "INVALID_INPUT", field: "values.0.rule" });
});
