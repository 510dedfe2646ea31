import { expect, test } from "vitest";
import { storable } from "./storable-text.ts";

test("NUL and lone surrogates are replaced by visible characters, in text and inside JSON", () => {
  expect(storable("a\0b \ud800 c 😀")).toBe("a␀b \ufffd c 😀");
  const json = JSON.stringify({ "k\0": ["\ud83d", "😀", "\udc00x", "\\u0000", "\0\0"] });
  expect(JSON.parse(String(storable(json)))).toEqual({ "k␀": ["\ufffd", "😀", "\ufffdx", "\\u0000", "␀␀"] });
});

test("storable values stay unchanged", () => {
  for (const value of ["plain", "", 'said "\\u0000" in a log', 7, null, undefined, Buffer.from([0])]) {
    expect(storable(value)).toBe(value);
  }
  const json = JSON.stringify({ text: "\\u0000 \\\\ \\ud800", fine: "é\n" });
  expect(storable(json)).toBe(json);
});

test("of a run of backslashes, every second one escapes the next", () => {
  for (let count = 1; count <= 9; count++) {
    const json = `["${"\\".repeat(count)}u0000"]`;
    const pairs = "\\".repeat(Math.floor(count / 2));
    expect(JSON.parse(String(storable(json)))).toEqual([`${pairs}${count % 2 ? "␀" : "u0000"}`]);
  }
});
