import { expect, test } from "vitest";
import { matchesTag } from "./matches-tag.ts";

test.each([
  [undefined, false],
  ["", false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a" ,"c"', true],
  ['"b","c"', false],
  ['"b, a"', false],
  ["*", true],
  ["a", false],
])("If-None-Match %s", (header, expected) => {
  expect(matchesTag({ headers: header === undefined ? {} : { "if-none-match": header } }, '"a"')).toBe(
    expected,
  );
});
