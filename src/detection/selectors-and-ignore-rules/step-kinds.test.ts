import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stepKinds } from "./step-kinds.ts";

// The form shows the same table.
test("docs/rules.md lists every kind of step as the form does", () => {
  const docs = readFileSync(new URL("../../../docs/rules.md", import.meta.url), "utf8");
  const rowsOf = (text: string) =>
    text.split("\n").flatMap((line) => {
      const cells = line.split(" | ").map((cell) => cell.replace(/^\| *| *\|$/g, "").trim());
      return cells.length === 2 ? [cells] : [];
    });
  const section = /<!-- steps -->([^]*)<!-- end of steps -->/.exec(docs)?.[1] ?? "";
  const wanted = Object.values(stepKinds).map(({ label, means }) => [label, means]);
  expect(rowsOf(section).slice(2)).toEqual(wanted);
});
