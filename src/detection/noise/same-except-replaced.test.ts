import { expect, test } from "vitest";
import { isSameExceptReplaced } from "./same-except-replaced.ts";

test("a mark stands for the character that it replaced, on either side", () => {
  expect(isSameExceptReplaced("caf\ufffd au lait", "café au lait")).toBe(true);
  expect(isSameExceptReplaced("café", "caf\ufffd\ufffd")).toBe(true);
  expect(isSameExceptReplaced("\ufffd and é", "ü and \ufffd")).toBe(true);
});

test("a mark never stands for ASCII, and never hides another difference", () => {
  expect(isSameExceptReplaced("price 1\ufffd", "price 19")).toBe(false);
  expect(isSameExceptReplaced("caf\ufffd 12 €", "café 13 €")).toBe(false);
  expect(isSameExceptReplaced("caf\ufffd", "caf")).toBe(false);
  expect(isSameExceptReplaced("café", "cafè")).toBe(false);
});
