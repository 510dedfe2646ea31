import { expect, test } from "vitest";
import { callNoise, findMeant } from "./call-noise.ts";
import { compare } from "./compare.ts";
import type { ImageComparison } from "./compare-image.ts";
import { keepSaid } from "./keep-said.ts";
import { emptyMemory, listLearned, type NoiseMemory, takeBack, unlearn } from "./noise-memory.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";

const now = "2026-11-16T12:00:00.000Z";
const page = (...lines: string[]) =>
  snapshotOf(
    `<main><h1>House rules</h1><p>The deposit is paid back after the last check.</p>${lines.map((line) => `<p>${line}</p>`).join("")}</main>`,
    "html",
    "https://www.example.test/",
  );
const told = (before: Snapshot, after: Snapshot, memory: NoiseMemory) =>
  compare(before, after, memory).verdict.reasons.flatMap(({ changes }) =>
    changes.map((one) => one.after ?? one.before),
  );
/** The memory once the named difference, or all of them, was called noise. */
function mark(before: Snapshot, after: Snapshot, text?: string, memory = emptyMemory()) {
  const changes = compare(before, after, memory).verdict.reasons.flatMap((reason) => reason.changes);
  const ids =
    text === undefined ? null : changes.filter((one) => one.after === text).flatMap(({ id }) => id ?? []);
  return callNoise(memory, findMeant(before, after, memory, null, ids), now);
}

test("one difference is noise, its neighbours of the same place are not", () => {
  const before = page("Ten people are here.", "Doors close at ten.");
  const after = page("Nine people are here.", "Doors close at nine.");
  const memory = mark(before, after, "Nine people are here.");
  expect(told(before, after, memory)).toEqual(["Doors close at nine."]);
  expect(compare(before, after, memory).verdict.ignored).toMatchObject([
    { why: "said", since: now, said: expect.any(String) },
  ]);
});

test("the value goes on being noise while it looks alike, over many checks", () => {
  const values = ["Ten people", "Nine people", "Six people", "Two people", "Five people"];
  let memory = mark(page("Ten people"), page("Nine people"));
  for (let at = 1; at + 1 < values.length; at++) {
    const result = compare(page(values[at] ?? ""), page(values[at + 1] ?? ""), memory);
    expect(result.verdict.changed).toBe(false);
    ({ memory } = result);
  }
  expect(told(page("Five people"), page("Hacked by Paper Tigers"), memory)).not.toEqual([]);
  expect(told(page("Five people"), page("Write to deal@evil.example for 9 €"), memory)).not.toEqual([]);
});

test("a line that came may go and come again; another one is told", () => {
  const memory = mark(page(), page("Strike today, no trains."));
  expect(told(page("Strike today, no trains."), page(), memory)).toEqual([]);
  expect(told(page(), page("Strike today, no trains."), memory)).toEqual([]);
  expect(told(page(), page("The house is sold."), memory)).toEqual(["The house is sold."]);
});

test("of what may be an attack just the very thing is noise", () => {
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

test("what was said is listed, can be taken back, and outlives a check that was running", () => {
  const [before, after] = [page("Ten people"), page("Nine people")];
  const running = compare(page("Six"), page("Seven"), emptyMemory()).memory;
  const said = mark(before, after);
  const kept = keepSaid(running, said);
  expect(told(before, after, kept)).toEqual([]);
  const [entry] = listLearned(kept);
  expect(entry).toMatchObject({ why: "said", since: now, samples: ["Ten people", "Nine people"] });
  const back = takeBack(kept, { id: entry?.id ?? "" });
  expect(listLearned(back)).toEqual([]);
  expect(told(before, after, back)).toEqual(["Nine people"]);
  // A memory of an earlier version has no words in it.
  const { said: _said, dates: _dates, ...earlier } = emptyMemory();
  expect(told(before, after, keepSaid(earlier, said))).toEqual([]);
  // What was taken back while a check went on with it stays so.
  expect(keepSaid(kept, back).said).toEqual({});
  expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
});

test("'Tell me of this' counts for order and markup too, and can be taken back", () => {
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
  const asked = unlearn(emptyMemory(), quiet.ignored[0]?.place ?? "", now);
  expect(compare(before, after, asked).verdict.summary).toMatch(/^“The (first|second) rule is .*” moved$/);
  expect(
    compare(before, after, takeBack(asked, { place: quiet.ignored[0]?.place ?? "" })).verdict.changed,
  ).toBe(false);
});

test("a picture that the user called noise, and one that was learned and is asked for", () => {
  const box = { x: 100, y: 200, width: 400, height: 300 };
  const shown: Snapshot = { ...page("Film"), images: [{ src: "https://www.example.test/film.gif", box }] };
  const looks: ImageComparison = { similarity: 90, regions: [{ kind: "changed", old: box, new: box }] };
  const verdict = (memory: NoiseMemory) => compare(shown, shown, memory, looks).verdict;
  expect(verdict(emptyMemory()).changed).toBe(true);
  const said = callNoise(emptyMemory(), findMeant(shown, shown, emptyMemory(), looks, null), now);
  expect(verdict(said)).toMatchObject({ changed: false, ignored: [{ why: "said", since: now, region: 0 }] });
  expect(listLearned(said)).toMatchObject([{ place: "picture 100, 200", why: "said" }]);
  expect(verdict(keepSaid(emptyMemory(), said)).changed).toBe(false);
  expect(verdict(takeBack(said, { place: "picture 100, 200" })).changed).toBe(true);
  const asked = unlearn(said, "picture 100, 200", now);
  expect(verdict(asked).changed).toBe(true);
  expect(verdict(keepSaid(said, asked)).changed).toBe(true);
});
