import { expect, test } from "vitest";
import { compare, learnFromConfirmation } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Box } from "../verdict/verdict.ts";
import type { ImageComparison } from "./compare-image.ts";

const hero: Box = { x: 100, y: 200, width: 400, height: 300 };
const page = (src: string, more = ""): Snapshot => ({
  ...snapshotOf(
    `<html><body><main><h1>Shop</h1><img src="${src}">${more}<p>Open every day.</p></main></body></html>`,
    "html",
    "https://www.example.test/",
  ),
  images: [{ src: `https://www.example.test${src}`, box: hero }],
});
const changedAt = (box: Box, similarity = 90): ImageComparison => ({
  similarity,
  regions: [{ kind: "changed", old: box, new: box }],
});
const verdictOf = (before: Snapshot, after: Snapshot, picture: ImageComparison, memory = emptyMemory()) =>
  compare(before, after, memory, picture).verdict;

test("a changed picture is reported, at the same address or a new one", () => {
  const inside = changedAt({ x: 120, y: 220, width: 60, height: 20 });
  expect(verdictOf(page("/a.png"), page("/a.png"), inside)).toMatchObject({
    changed: true,
    summary: "A picture changed: a.png",
    reasons: [{ kind: "picture", changes: [{ where: "120, 220" }] }],
  });
  expect(verdictOf(page("/a.png"), page("/b.png"), changedAt(hero)).summary).toMatch(
    /A picture changed: b\.png/,
  );
  // “a.png” is part of the new name, but that doesn't mean that the page contains both pictures.
  expect(verdictOf(page("/a.png"), page("/no-a.png"), changedAt(hero)).summary).toMatch(/changed: no-a\.png/);
});

test("changes outside pictures, tiny changes and a rotation of the page's own pictures are not reported", () => {
  const changed = (before: Snapshot, after: Snapshot, picture: ImageComparison) =>
    verdictOf(before, after, picture).reasons.filter(({ kind }) => kind === "picture").length;
  const text = changedAt({ x: 100, y: 600, width: 400, height: 40 });
  expect(changed(page("/a.png"), page("/a.png"), text)).toBe(0);
  expect(changed(page("/a.png"), page("/a.png"), changedAt({ ...hero, width: 5, height: 5 }))).toBe(0);
  const slides = '<img src="/a.png"><img src="/b.png">';
  expect(changed(page("/a.png", slides), page("/b.png", slides), changedAt(hero))).toBe(0);
  const { images: _, ...withoutImages } = page("/a.png");
  expect(changed(withoutImages, page("/a.png"), changedAt(hero))).toBe(0);
});

test("a confirmation teaches which part of the picture changes by itself", () => {
  const film = page("/film.gif");
  const memory = learnFromConfirmation(film, film, emptyMemory(), changedAt(hero));
  const verdict = verdictOf(film, film, changedAt({ ...hero, width: 390 }), memory);
  expect(verdict).toMatchObject({ changed: false, ignored: [{ place: "picture 100, 200", why: "learned" }] });
  // Changes elsewhere on the page are still reported.
  const poster = { src: "https://www.example.test/p.png", box: { x: 100, y: 900, width: 200, height: 200 } };
  const both = { ...film, images: [...(film.images ?? []), poster] };
  expect(verdictOf(both, both, changedAt(poster.box), memory).changed).toBe(true);
  expect(verdictOf(film, film, changedAt(hero, 20), memory).changed).toBe(false);
});

test("a visible change of an image file is reported with its region; a re-encoding is only listed", () => {
  const image = (...bytes: number[]): Snapshot => ({
    ...snapshotOf("", "image", "https://www.example.test/price.png"),
    body: Uint8Array.from(bytes),
  });
  expect(verdictOf(image(1), image(2), changedAt({ x: 40, y: 8, width: 6, height: 10 }, 99.9))).toMatchObject(
    {
      changed: true,
      summary: "The image changed at 40, 8",
      regions: [{ kind: "changed", new: { x: 40, y: 8, width: 6, height: 10 } }],
    },
  );
  expect(verdictOf(image(1), image(2), { similarity: 100, regions: [] })).toMatchObject({
    changed: false,
    ignored: [{ why: "markup" }],
  });
});

test("a page whose picture is less similar than the threshold is reported", () => {
  expect(verdictOf(page("/a.png"), page("/a.png"), changedAt({ ...hero, y: 800 }, 60)).summary).toBe(
    "Looks 40% different",
  );
});

test("a text file is compared by its text, whatever its picture looks like", () => {
  const file = (text: string) => snapshotOf(text, "json", "https://www.example.test/state.json");
  const reformatted = verdictOf(
    file('{"a":1,"b":[2]}'),
    file('{\n  "a": 1,\n  "b": [2]\n}'),
    changedAt(hero, 3),
  );
  expect(reformatted).toMatchObject({ changed: false, reasons: [] });
  const edited = verdictOf(file('{"a":1}'), file('{"a":2}'), changedAt(hero, 3));
  expect(edited.reasons.map(({ kind }) => kind)).not.toContain("picture");
  expect(edited.changed).toBe(true);
});
