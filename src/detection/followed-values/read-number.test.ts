import { expect, test } from "vitest";
import { countNumbers, findDecimal, hasPrice, readNumber } from "./read-number.ts";

test.for<[text: string, value: number | null, language?: string]>([
  ["59", 59],
  ["from 59.00 €", 59],
  ["1.234,56 €", 1234.56],
  ["$1,234.56", 1234.56],
  ["1 234,56 €", 1234.56],
  ["1\u00a0234\u202f567,5", 1234567.5],
  ["CHF 1'234.50", 1234.5],
  ["₹12,34,567.00", 1234567],
  ["12,34,567", 1234567],
  ["1.234.567", 1234567],
  ["0.125", 0.125],
  ["0,5", 0.5],
  ["1234,567", 1234.567],
  ["49,-", 49],
  ["49.–", 49],
  ["−3.5 °C", -3.5],
  ["-3,5", -3.5],
  ["Model AB-12", 12],
  ["-$5.00", -5],
  ["Change: −€ 5", -5],
  ["–5 °C", -5],
  ["- 3 °C", -3],
  ["- $5.00", -5],
  ["-US$5.00", -5],
  ["−EUR 5", -5],
  ["\u2011" + "5 °C", -5],
  ["－５ °C", -5],
  ["12€99", 12.99],
  ["1.299€95", 1299.95],
  ["1.299,-", 1299],
  ["Outside: - 3 °C", -3],
  ["Lamp - 3 left", 3],
  ["Room B–12", 12],
  ["10–20 °C", 10],
  [",99 €", 0.99],
  ["£.99", 0.99],
  ["only £.995 each", 0.995],
  ["No.5", 5],
  ["Sold out...5 left", 5],
  ["+7 %", 7],
  ["١٢٣٫", 123],
  ["９９８", 998],
  ["sold out", null],
  ["", null],
  // Three digits after a single separator: the page's language decides; without one it separates thousands.
  ["1.234", 1234],
  ["1,234", 1234],
  ["1.234", 1234, "de"],
  ["1.234", 1.234, "en"],
  ["1,234", 1.234, "fr-FR"],
  ["1,234", 1234, "en-GB"],
  ["1,234", 1234, "no language"],
])("readNumber reads %s as %s", ([text, value, language]) => {
  expect(readNumber(text, language)).toBe(value);
});

test("the prices of a page say which separator is the decimal one", () => {
  expect(findDecimal("$12,99 and $1.299 and 4,50 $")).toBe(",");
  expect(findDecimal("1.299,00 € · 12,99 EUR")).toBe(",");
  expect(findDecimal("£12.99, $1,299")).toBe(".");
  expect(findDecimal("$1.299 on 12.05 at 10,30")).toBe("");
  expect(readNumber("$1.299", "en", ",")).toBe(1299);
  expect([hasPrice("€ 45.40"), hasPrice(",99 €"), hasPrice("45.40"), hasPrice("12 EUR")]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test("countNumbers counts a number with separators once", () => {
  expect(countNumbers("Price 1 234,56 €")).toBe(1);
  expect(countNumbers("3 of 12")).toBe(2);
  expect(countNumbers("none")).toBe(0);
});
