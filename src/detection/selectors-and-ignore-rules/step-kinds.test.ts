import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ruleKinds } from "./rule-kinds.ts";
import { stepKinds } from "./step-kinds.ts";

const docs = readFileSync(new URL("../../../docs/rules.md", import.meta.url), "utf8");

/** The rows of a table that stands between two comments. */
function rowsIn(name: string): string[][] {
  const section = docs.split(`<!-- ${name} -->`)[1]?.split(`<!-- end of ${name} -->`)[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
}

// The form shows the same tables.
test("docs/rules.md lists every kind of step as the form does", () => {
  expect(rowsIn("steps")).toEqual(Object.values(stepKinds).map(({ label, means }) => [label, means]));
});

test("docs/rules.md lists every kind of selector and ignore rule as the form does", () => {
  const wanted = Object.entries(ruleKinds).flatMap(([field, kinds]) =>
    kinds.map(({ example, means }) => [`\`${field}\``, `\`${example}\``, means]),
  );
  expect(rowsIn("rules")).toEqual(wanted);
});
