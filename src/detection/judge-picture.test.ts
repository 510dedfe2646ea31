import { expect, test } from "vitest";
import { compare, learnTwin } from "./compare.ts";
import type { ImageComparison } from "./compare-image.ts";
import { emptyMemory } from "./noise-memory.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";
import type { Box } from "./verdict.ts";

const hero: Box = { x: 100, y: 200, width: 400, height: 300 };
const page = (src: string, more = ""): Snapshot => ({
  ...snapshotOf(
    `<html><body><main><h1>Shop</h1><img src="${src}">${more}<p>Open every day.</p></main></body></html>`,
    "html",
    "https://www.example.test/",
  ),
  images: [{ src: `https://www.example.test${src}`, box: hero }],
});
const differing = (box: Box, similarity = 90): ImageComparison => ({
  similarity,
  regions: [{ kind: "changed", old: box, new: box }],
});
const told = (before: Snapshot, after: Snapshot, picture: ImageComparison, memory = emptyMemory()) =>
  compare(before, after, memory, picture).verdict;

test("another picture in its place is told, under its own address or another one", () => {
  const inside = differing({ x: 120, y: 220, width: 60, height: 20 });
  expect(told(page("/a.png"), page("/a.png"), inside)).toMatchObject({
    changed: true,
    summary: "A picture changed: a.png",
    reasons: [{ kind: "picture", changes: [{ where: "120, 220" }] }],
  });
  expect(told(page("/a.png"), page("/b.png"), differing(hero)).summary).toMatch(/A picture changed: b\.png/);
  // Its name is part of the other's, which does not make it one that the page holds anyway.
  expect(told(page("/a.png"), page("/no-a.png"), differing(hero)).summary).toMatch(/changed: no-a\.png/);
});

test("what is no picture of the page, too small, or another of its own pictures is not told", () => {
  const changed = (before: Snapshot, after: Snapshot, picture: ImageComparison) =>
    told(before, after, picture).reasons.filter(({ kind }) => kind === "picture").length;
  const text = differing({ x: 100, y: 600, width: 400, height: 40 });
  expect(changed(page("/a.png"), page("/a.png"), text)).toBe(0);
  expect(changed(page("/a.png"), page("/a.png"), differing({ ...hero, width: 5, height: 5 }))).toBe(0);
  const slides = '<img src="/a.png"><img src="/b.png">';
  expect(changed(page("/a.png", slides), page("/b.png", slides), differing(hero))).toBe(0);
  const { images: _, ...unseen } = page("/a.png");
  expect(changed(unseen, page("/a.png"), differing(hero))).toBe(0);
});

test("two captures of one moment teach where the picture moves by itself", () => {
  const film = page("/film.gif");
  const memory = learnTwin(film, film, emptyMemory(), differing(hero));
  const again = told(film, film, differing({ ...hero, width: 390 }), memory);
  expect(again).toMatchObject({ changed: false, ignored: [{ place: "picture 100, 200", why: "learned" }] });
  // The rest of the page is none of the film's business.
  const poster = { src: "https://www.example.test/p.png", box: { x: 100, y: 900, width: 200, height: 200 } };
  const both = { ...film, images: [...(film.images ?? []), poster] };
  expect(told(both, both, differing(poster.box), memory).changed).toBe(true);
  expect(told(film, film, differing(hero, 20), memory).changed).toBe(false);
});

test("of an image every visible difference is told with its region, another coding is listed", () => {
  const image = (...bytes: number[]): Snapshot => ({
    ...snapshotOf("", "image", "https://www.example.test/price.png"),
    body: Uint8Array.from(bytes),
  });
  expect(told(image(1), image(2), differing({ x: 40, y: 8, width: 6, height: 10 }, 99.9))).toMatchObject({
    changed: true,
    summary: "The image changed at 40, 8",
    regions: [{ kind: "changed", new: { x: 40, y: 8, width: 6, height: 10 } }],
  });
  expect(told(image(1), image(2), { similarity: 100, regions: [] })).toMatchObject({
    changed: false,
    ignored: [{ why: "markup" }],
  });
});

test("a page that looks otherwise is told below the level", () => {
  expect(told(page("/a.png"), page("/a.png"), differing({ ...hero, y: 800 }, 60)).summary).toBe(
    "Looks 40 % different",
  );
});

test("a file of text is judged by its text, however it is laid out", () => {
  const file = (text: string) => snapshotOf(text, "json", "https://www.example.test/state.json");
  const laidOut = told(file('{"a":1,"b":[2]}'), file('{\n  "a": 1,\n  "b": [2]\n}'), differing(hero, 3));
  expect(laidOut).toMatchObject({ changed: false, reasons: [] });
  const other = told(file('{"a":1}'), file('{"a":2}'), differing(hero, 3));
  expect(other.reasons.map(({ kind }) => kind)).not.toContain("picture");
  expect(other.changed).toBe(true);
});
