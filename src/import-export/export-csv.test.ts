import { expect, test } from "vitest";
import { csvCell } from "./export-csv.ts";

test.each([
  ["plain", "plain"],
  ['say "hi", all', '"say ""hi"", all"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["  =1", `"'  =1"`],
  ["\t=1", `"'\t=1"`],
  ["＝1+1", `"'＝1+1"`],
  ["a=1", "a=1"],
  [null, ""],
  [-12.5, "-12.5"],
  [true, "true"],
])("V3 the value %j is exported as the cell %j", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
