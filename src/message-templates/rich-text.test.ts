import { expect, test } from "vitest";
import { cut } from "./rich-text.ts";

test("cutting a text never splits a character", () => {
  expect(cut("a😀b", 4)).toBe("a😀b");
  expect(cut("a😀bc", 3)).toBe("a…");
  expect(cut("a😀bc", 4)).toBe("a😀…");
});
