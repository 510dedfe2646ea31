import { expect, test } from "vitest";
import { visibleText } from "./setting-shapes.ts";

test("half a character becomes the one that the database stores, so that equal names are found", () => {
  expect(visibleText("Name", 60).parse("a\ud800")).toBe("a\ufffd");
});
