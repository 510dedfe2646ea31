import { expect, test } from "vitest";
import type { Box } from "../../verdict/verdict.ts";
import { compareVisibleAreas } from "../compare-visible-areas.ts";
import { photosOf } from "../photo.ts";

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const size = { width: 320, height: 160 };
const photoBox = box(0, 20, 320, 120);
/** The color of a photo at a point from 0 to 1: no two neighbors are alike. */
const shade = (seed: number, x: number, y: number, channel: number) =>
  Math.round(120 + 60 * Math.sin(9 * x * seed + channel) + 50 * Math.cos(7 * y + seed * x + channel));

type Drawn = { photo?: Box; seed?: number; words?: Box[]; color?: number };

/** A white picture with a photo, and words on it as striped boxes. */
function draw({ photo = photoBox, seed = 1, words = [], color = 250 }: Drawn) {
  const data = new Uint8Array(size.width * size.height * 3).fill(255);
  const paint = (x: number, y: number, colorOf: (channel: number) => number) => {
    for (const channel of [0, 1, 2]) data[(y * size.width + x) * 3 + channel] = colorOf(channel);
  };
  for (let y = 0; y < photo.height; y++)
    for (let x = 0; x < photo.width; x++)
      paint(photo.x + x, photo.y + y, (channel) => shade(seed, x / photo.width, y / photo.height, channel));
  for (const word of words)
    for (let y = 0; y < word.height; y++)
      for (let x = 0; x < word.width; x += 2) paint(word.x + x, word.y + y, () => color);
  return { ...size, data };
}
const photos = (photo = photoBox, isLeft = false, src = "/harbor.png") => [{ src, box: photo, isLeft }];
const layoutOf = ({ regions, layoutOnly = [] }: ReturnType<typeof compareVisibleAreas>) =>
  `${layoutOnly.length} of ${regions.length}`;

test("what is ignored on a photo may get wider, and the words after it only move", () => {
  const [counter, wide] = [box(80, 60, 20, 12), box(80, 60, 90, 12)];
  const [word, pushed] = [box(110, 60, 60, 12), box(180, 60, 60, 12)];
  const words = (at: Box) => [{ text: "visitors today", box: at }];
  const before = draw({ words: [counter] });
  const after = draw({ words: [wide] });
  const hidden = (at: Box) => ({ only: null, hidden: [at] });
  expect(compareVisibleAreas(before, after, [hidden(counter), hidden(wide)])).toEqual({
    similarity: 100,
    regions: [],
  });
  const found = compareVisibleAreas(draw({ words: [counter, word] }), draw({ words: [wide, pushed] }), [
    { ...hidden(counter), words: words(word) },
    { ...hidden(wide), words: words(pushed) },
  ]);
  expect([found.similarity, found.regions.length > 0, layoutOf(found)]).toEqual([
    100,
    true,
    `${found.regions.length} of ${found.regions.length}`,
  ]);
});

test("another photo under what is ignored is a difference", () => {
  const counter = box(80, 60, 20, 12);
  const hidden = { only: null, hidden: [counter] };
  const found = compareVisibleAreas(draw({ words: [counter] }), draw({ seed: 2, words: [counter] }), [
    hidden,
    hidden,
  ]);
  expect(found.similarity).toBeLessThan(50);
  expect(found.layoutOnly).toBeUndefined();
});

test.for<[what: string, after: Drawn, chosen: Box, photo: { box?: Box; src?: string }, isLayout: boolean]>([
  ["moves over the photo", { words: [box(60, 60, 60, 12)] }, box(50, 50, 100, 40), {}, true],
  [
    "has another photo behind it",
    { seed: 2, words: [box(30, 60, 60, 12)] },
    box(20, 50, 100, 40),
    { src: "/market.png" },
    true,
  ],
  [
    "is on a photo that got smaller",
    { photo: box(0, 20, 240, 120), words: [box(30, 60, 60, 12)] },
    box(20, 50, 100, 40),
    { box: box(0, 20, 240, 120) },
    true,
  ],
  ["gets another color", { words: [box(30, 60, 60, 12)], color: 0 }, box(20, 50, 100, 40), {}, false],
])("a chosen part with words that %s", ([, after, chosen, photo, isLayout]) => {
  const words = (at: Box) => [{ text: "The old pier", box: at }];
  const from = box(20, 50, 100, 40);
  const found = compareVisibleAreas(draw({ words: [box(30, 60, 60, 12)] }), draw(after), [
    { only: [from], hidden: [], words: words(box(30, 60, 60, 12)), photos: photos() },
    {
      only: [chosen],
      hidden: [],
      words: words(after.words?.[0] ?? from),
      photos: photos(photo.box, false, photo.src),
    },
  ]);
  expect(found.regions.length).toBeGreaterThan(0);
  expect(layoutOf(found)).toBe(`${isLayout ? found.regions.length : 0} of ${found.regions.length}`);
});

test("a chosen photo that was replaced is a difference, wherever it lies; one in another size is none", () => {
  const small = box(0, 20, 240, 90);
  const chosen = (at: Box, src?: string) => ({
    only: [box(0, 0, at.width, 160)],
    hidden: [],
    photos: photos(at, true, src),
  });
  const before = draw({});
  const sides = [chosen(photoBox), chosen(small)] as const;
  const scaled = compareVisibleAreas(before, draw({ photo: small }), [...sides]);
  expect([scaled.similarity, layoutOf(scaled)]).toEqual([100, "0 of 0"]);
  for (const after of [draw({ photo: small, seed: 2 }), draw({ seed: 2 })])
    expect(compareVisibleAreas(before, after, [...sides]).similarity).toBeLessThan(80);
});

test("an image is left by the rules if the filtered page names its file", () => {
  const images = ["https://a.example/big/a.png?w=5", 'url("https://a.example/b.png")', ""].map((src) => ({
    src,
    box: photoBox,
  }));
  expect(photosOf({ html: '<img src="/big/a.png?w=5">', images }).map(({ isLeft }) => isLeft)).toEqual([
    true,
    false,
    true,
  ]);
});
