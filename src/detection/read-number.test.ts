import { expect, test } from "vitest";
import { countNumbers, readNumber } from "./read-number.ts";

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
  ["+7 %", 7],
  ["١٢٣٫", 123],
  ["９９８", 998],
  ["sold out", null],
  ["", null],
  // Three digits behind one mark: the page's language says what it is, else it parts thousands.
  ["1.234", 1234],
  ["1,234", 1234],
  ["1.234", 1234, "de"],
  ["1.234", 1.234, "en"],
  ["1,234", 1.234, "fr-FR"],
  ["1,234", 1234, "en-GB"],
  ["1,234", 1234, "no language"],
])("%s is %s", ([text, value, language]) => {
  expect(readNumber(text, language)).toBe(value);
});

test("numbers are counted as a reader counts them", () => {
  expect(countNumbers("Price 1 234,56 €")).toBe(1);
  expect(countNumbers("3 of 12")).toBe(2);
  expect(countNumbers("none")).toBe(0);
});
