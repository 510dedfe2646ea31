import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { maskNow } from "./mask-now.ts";

const now = Date.UTC(2026, 10, 15, 17, 54);

test.each([
  ["Sunday, 15 November 2026", "⟨weekday⟩, ⟨today⟩"],
  ["November 15th, 2026 at 5:53 pm", "⟨today⟩ at ⟨now⟩"],
  ["15.11.2026 18:52", "⟨today⟩ ⟨now⟩"],
  ["2026-11-16", "⟨today⟩"],
  ["2026-11-15T17:53:41.915Z", "⟨today⟩T⟨now⟩Z"],
  ["11/15/2026 and 3/4/2026", "⟨today⟩ and 3/4/2026"],
  ["le 15 nov. 2026", "le ⟨today⟩"],
  ["15 de noviembre de 2026", "⟨today⟩"],
  ["15. Dezember 2026 17:54", "15. Dezember 2026 17:54"],
  ["15 November 2026, doors open at 19:10", "⟨today⟩, doors open at 19:10"],
  ["In stock: 15 items, 11 left, 2026 in all", "In stock: 15 items, 11 left, 2026 in all"],
])("masks today and now in: %s", (text, masked) => {
  expect(maskNow(text, now)).toBe(masked);
});

const captureAt = (date: string, line: string) => ({
  ...snapshotOf(
    `<main><h1>Rules</h1><p>Guests lock the door.</p><p>${line}</p></main>`,
    "html",
    "https://a.test/",
  ),
  headers: [["date", date]] as [string, string][],
});
const monday = "Mon, 02 Nov 2026 08:15:00 GMT";
const tuesday = "Tue, 03 Nov 2026 09:45:00 GMT";

test.each([
  ["the day of each capture is noise", "As of 2 November 2026, 9:15", "As of 3 November 2026, 10:45", false],
  ["a date that became today is a change", "As of 12 October 2026", "As of 3 November 2026", true],
  [
    "another date next to today's is a change",
    "2 Nov 2026: ends 9 Nov 2026",
    "3 Nov 2026: ends 10 Nov 2026",
    true,
  ],
])("%s", (_name, before, after, changed) => {
  expect(compare(captureAt(monday, before), captureAt(tuesday, after), emptyMemory()).verdict.changed).toBe(
    changed,
  );
});

test("without a response date, another date is a change", () => {
  const [before, after] = [captureAt("", "As of 2 November 2026"), captureAt("", "As of 3 November 2026")];
  expect(compare(before, after, emptyMemory()).verdict.changed).toBe(true);
});
