import { expect, test } from "vitest";
import { isMachineText } from "./mask-text.ts";

test.for([
  '{"id": 4711, "theme": "dark", "modules": ["menu", "search"]}',
  "word ".repeat(40).trim(),
  "mmMwWLliI0O&1",
  "Latitude 48.2081743021",
])("“%s” isn't meant for readers", (text) => {
  expect(isMachineText(text)).toBe(true);
});

test.for([
  '{"terms": "Refunds are not possible any more.", "since": "May"}',
  '{"class":"noise","blocks":["b1"],"sentence":"The footer changed."}',
  '{"notice": "自五月起不再接受任何退款申请。", "since": "2026-05"}',
  '{"price": 12}',
  "Closed on Monday, closed on Tuesday, closed on Wednesday",
])("“%s” may be read by people", (text) => {
  expect(isMachineText(text)).toBe(false);
});

test("a long word is read in linear time", () => {
  expect(isMachineText(`{"a": "${"a".repeat(200_000)}"}`)).toBe(true);
});
