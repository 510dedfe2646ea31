import { expect, test, vi } from "vitest";
import { compare } from "../compare.ts";
import type { ImageComparison } from "../picture-comparison/compare-image.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { mergeFeedback } from "./merge-feedback.ts";
import { emptyMemory, listLearned, type NoiseMemory, takeBack, unlearn } from "./noise-memory.ts";
import { findMeant, recordNoiseFeedback } from "./record-noise-feedback.ts";

const now = "2026-11-16T12:00:00.000Z";
const page = (...lines: string[]) =>
  snapshotOf(
    `<main><h1>House rules</h1><p>The deposit is paid back after the last check.</p>${lines.map((line) => `<p>${line}</p>`).join("")}</main>`,
    "html",
    "https://www.example.test/",
  );
const reportedTexts = (before: Snapshot, after: Snapshot, memory: NoiseMemory) =>
  compare(before, after, memory).verdict.reasons.flatMap(({ changes }) =>
    changes.map((one) => one.after ?? one.before),
  );
/** The memory after the user marked the difference with this text, or all differences, as noise. */
function mark(before: Snapshot, after: Snapshot, text?: string, memory = emptyMemory()) {
  const changes = compare(before, after, memory).verdict.reasons.flatMap((reason) => reason.changes);
  const ids =
    text === undefined ? null : changes.filter((one) => one.after === text).flatMap(({ id }) => id ?? []);
  return recordNoiseFeedback(memory, findMeant(before, after, memory, null, ids), now);
}

test("marking one difference as noise leaves its neighbors at the same location reported", () => {
  const before = page("Ten people are here.", "Doors close at ten.");
  const after = page("Nine people are here.", "Doors close at nine.");
  const memory = mark(before, after, "Nine people are here.");
  expect(reportedTexts(before, after, memory)).toEqual(["Doors close at nine."]);
  expect(compare(before, after, memory).verdict.ignored).toMatchObject([
    { why: "said", since: now, said: expect.any(String) },
  ]);
});

test("a marked value stays noise over many checks as long as it looks similar", () => {
  const values = ["Ten people", "Nine people", "Six people", "Two people", "Five people"];
  let memory = mark(page("Ten people"), page("Nine people"));
  for (let at = 1; at + 1 < values.length; at++) {
    const result = compare(page(values[at] ?? ""), page(values[at + 1] ?? ""), memory);
    expect(result.verdict.changed).toBe(false);
    ({ memory } = result);
  }
  expect(reportedTexts(page("Five people"), page("Hacked by Paper Tigers"), memory)).not.toEqual([]);
  expect(reportedTexts(page("Five people"), page("Write to deal@evil.example for 9 €"), memory)).not.toEqual(
    [],
  );
});

test("a marked line may disappear and reappear; another line is reported", () => {
  const memory = mark(page(), page("Strike today, no trains."));
  expect(reportedTexts(page("Strike today, no trains."), page(), memory)).toEqual([]);
  expect(reportedTexts(page(), page("Strike today, no trains."), memory)).toEqual([]);
  expect(reportedTexts(page(), page("The house is sold."), memory)).toEqual(["The house is sold."]);
});

test("feedback on a possible attack applies to exactly that script host only", () => {
  const shop = (host: string) =>
    page(`<a href="https://shop.example/">Shop</a><script src="https://${host}/a.js"></script>`);
  const memory = mark(page('<a href="https://shop.example/">Shop</a>'), shop("cdn.one.example"));
  expect(
    compare(page('<a href="https://shop.example/">Shop</a>'), shop("cdn.one.example"), memory).verdict
      .changed,
  ).toBe(false);
  expect(
    compare(page('<a href="https://shop.example/">Shop</a>'), shop("cdn.evil.example"), memory).verdict
      .changed,
  ).toBe(true);
});

test("feedback is listed, can be taken back, and isn't overwritten by a running check", () => {
  const [before, after] = [page("Ten people"), page("Nine people")];
  const memoryOfRunningCheck = compare(page("Six"), page("Seven"), emptyMemory()).memory;
  const feedbackMemory = mark(before, after);
  const merged = mergeFeedback(memoryOfRunningCheck, feedbackMemory);
  expect(reportedTexts(before, after, merged)).toEqual([]);
  const [entry] = listLearned(merged);
  expect(entry).toMatchObject({ why: "said", since: now, samples: ["Ten people", "Nine people"] });
  const withdrawn = takeBack(merged, { id: entry?.id ?? "" });
  expect(listLearned(withdrawn)).toEqual([]);
  expect(reportedTexts(before, after, withdrawn)).toEqual(["Nine people"]);
  // A memory of an earlier version has no feedback in it.
  const { said: _feedback, dates: _dates, ...earlier } = emptyMemory();
  expect(reportedTexts(before, after, mergeFeedback(earlier, feedbackMemory))).toEqual([]);
  // Feedback that was taken back during a running check stays taken back.
  expect(mergeFeedback(merged, withdrawn).said).toEqual({});
  expect(JSON.parse(JSON.stringify(merged))).toEqual(merged);
});

test("'Alert me of this' works for order and markup too, and can be taken back", () => {
  const [before, after] = [
    page(
      "The first rule is that guests lock every door when they leave the house.",
      "The second rule is that nobody plays loud music after ten in the evening.",
    ),
    page(
      "The second rule is that nobody plays loud music after ten in the evening.",
      "The first rule is that guests lock every door when they leave the house.",
    ),
  ];
  const quiet = compare(before, after, emptyMemory()).verdict;
  expect([quiet.changed, quiet.ignored[0]?.why]).toEqual([false, "order"]);
  const unlearned = unlearn(emptyMemory(), quiet.ignored[0]?.place ?? "", now);
  expect(compare(before, after, unlearned).verdict.summary).toMatch(
    /^“The (first|second) rule is .*” moved$/,
  );
  expect(
    compare(before, after, takeBack(unlearned, { place: quiet.ignored[0]?.place ?? "" })).verdict.changed,
  ).toBe(false);
});

test("a picture can be marked as noise, and alerts for it can be turned on again", () => {
  const box = { x: 100, y: 200, width: 400, height: 300 };
  const shown: Snapshot = { ...page("Film"), images: [{ src: "https://www.example.test/film.gif", box }] };
  const comparison: ImageComparison = { similarity: 90, regions: [{ kind: "changed", old: box, new: box }] };
  const verdict = (memory: NoiseMemory) => compare(shown, shown, memory, comparison).verdict;
  expect(verdict(emptyMemory()).changed).toBe(true);
  const marked = recordNoiseFeedback(
    emptyMemory(),
    findMeant(shown, shown, emptyMemory(), comparison, null),
    now,
  );
  expect(verdict(marked)).toMatchObject({
    changed: false,
    ignored: [{ why: "said", since: now, region: 0 }],
  });
  expect(listLearned(marked)).toMatchObject([{ place: "picture 100, 200", why: "said" }]);
  expect(verdict(mergeFeedback(emptyMemory(), marked)).changed).toBe(false);
  expect(verdict(takeBack(marked, { place: "picture 100, 200" })).changed).toBe(true);
  const unlearned = unlearn(marked, "picture 100, 200", now);
  expect(verdict(unlearned).changed).toBe(true);
  expect(verdict(mergeFeedback(marked, unlearned)).changed).toBe(true);
});

test("of ten thousand differences at once the newest 200 are kept, and the memory is rebuilt once", () => {
  const observe = (n: number) => ({ place: `main > p:${n}`, before: null, after: `Text ${n}`, frame: false });
  const seen = Array.from({ length: 10_000 }, (_, n) => observe(n));
  const memory = recordNoiseFeedback(emptyMemory(), { seen: [observe(9_999), observe(-1)], boxes: [] }, now);
  const rebuild = vi.spyOn(Object, "fromEntries");
  const marked = recordNoiseFeedback(memory, { seen: [...seen, observe(5)], boxes: [] }, now);
  const rebuilt = rebuild.mock.calls.length;
  rebuild.mockRestore();
  const places = Object.values(marked.said).map(({ place }) => place);
  expect(new Set(places)).toEqual(new Set([...seen.slice(-199).map(({ place }) => place), "main > p:5"]));
  expect(rebuilt).toBe(1);
});
