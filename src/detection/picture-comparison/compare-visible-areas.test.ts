import { expect, test } from "vitest";
import type { Box } from "../verdict/verdict.ts";
import { compareVisibleAreas } from "./compare-visible-areas.ts";
import { see } from "./crop-area.ts";

/** A white picture with black boxes. */
function draw(width: number, height: number, boxes: Box[]) {
  const data = new Uint8Array(width * height * 3).fill(255);
  for (const box of boxes) {
    for (let y = box.y; y < box.y + box.height; y++) {
      // Striped, so that no part of it counts as background.
      const from = (y * width + box.x) * 3;
      for (let x = 0; x < box.width * 3; x++) data[from + x] = (x + y - box.y) % 7 < 4 ? 0 : 90;
    }
  }
  return { width, height, data };
}
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const all = { only: null, hidden: [] };
const head = box(16, 16, 96, 24);

test("a hidden area makes no difference, whether its content changes or it grows", () => {
  const before = draw(160, 240, [head, box(16, 80, 96, 24), box(16, 160, 96, 24)]);
  const after = draw(160, 240, [head, box(40, 80, 48, 24), box(16, 160, 96, 24)]);
  const ad = { only: null, hidden: [box(8, 72, 120, 40)] };
  expect(compareVisibleAreas(before, after, [all, all]).regions).not.toEqual([]);
  expect(compareVisibleAreas(before, after, [ad, ad])).toEqual({ similarity: 100, regions: [] });

  const grown = draw(160, 320, [head, box(16, 80, 96, 104), box(16, 240, 96, 24)]);
  const larger = { only: null, hidden: [box(8, 72, 120, 120)] };
  expect(compareVisibleAreas(before, grown, [ad, larger])).toEqual({ similarity: 100, regions: [] });
});

test("a change outside the hidden area is reported", () => {
  const before = draw(160, 240, [head, box(16, 80, 96, 24)]);
  const after = draw(160, 240, [box(16, 16, 48, 24), box(40, 80, 48, 24)]);
  const ad = { only: null, hidden: [box(8, 72, 120, 40)] };
  const { similarity, regions } = compareVisibleAreas(before, after, [ad, ad]);
  expect(similarity).toBeLessThan(100);
  expect(regions.every((region) => (region.new?.y ?? 0) < 72)).toBe(true);
  expect(regions).not.toEqual([]);
});

test("only the selected area is compared, wherever it moved, and regions refer to the whole picture", () => {
  const before = draw(160, 240, [head, box(16, 80, 96, 24)]);
  const moved = draw(160, 320, [head, box(16, 48, 96, 80), box(16, 160, 96, 24)]);
  const [old, now] = [box(0, 72, 160, 40), box(0, 152, 160, 40)].map((only) => ({
    only: [only],
    hidden: [],
  }));
  expect(compareVisibleAreas(before, moved, [old ?? all, now ?? all])).toEqual({
    similarity: 100,
    regions: [],
  });
  const changed = draw(160, 320, [head, box(16, 48, 96, 80), box(16, 160, 40, 24)]);
  const [region] = compareVisibleAreas(before, changed, [old ?? all, now ?? all]).regions;
  expect([region?.old?.y, region?.new?.y].map((y) => (y ?? 0) >= 72)).toEqual([true, true]);
  expect(region?.new?.y).toBeGreaterThanOrEqual(152);
});

test("a selected area is clipped to the picture", () => {
  const { image, corner } = see(draw(64, 64, [head]), { only: [box(-8, 40, 300, 100)], hidden: [] });
  expect([image.width, image.height, corner.x, corner.y]).toEqual([64, 24, 0, 40]);
});

/** A white picture with words as patterns of dots that only their number decides, and areas of one color. */
function drawWords(
  width: number,
  height: number,
  words: { word: number; x: number; y: number }[],
  areas: (Box & { color?: number })[] = [],
) {
  const data = new Uint8Array(width * height * 3).fill(255);
  const paint = (x: number, y: number, color: number) => {
    const at = (y * width + x) * 3;
    data.set([color >> 16, (color >> 8) & 255, color & 255], at);
  };
  for (const { color = 0xeeeeff, ...area } of areas)
    for (let y = area.y; y < area.y + area.height; y++)
      for (let x = area.x; x < area.x + area.width; x++) paint(x, y, color);
  for (const { word, x, y } of words)
    for (let row = 0; row < 12; row++)
      for (let column = 0; column < 30; column++)
        if (((row * 31 + column * 17) * (word + 3)) % 5 < 2) paint(x + column, y + row, 0x202020);
  return { width, height, data };
}

const line = (y: number, ...words: number[]) => words.map((word, at) => ({ word, x: 10 + at * 40, y }));
const only = (...boxes: Box[]) => ({ only: boxes, hidden: [] });

test("an ignored word that gets longer pushes others on, even into the next line, which is layout only", () => {
  const before = drawWords(220, 80, [...line(10, 1, 2, 3, 4), ...line(40, 5)]);
  const after = drawWords(220, 80, [
    { word: 1, x: 10, y: 10 },
    { word: 9, x: 50, y: 10 },
    { word: 3, x: 120, y: 10 },
    { word: 4, x: 160, y: 10 },
    { word: 5, x: 10, y: 40 },
  ]);
  const wrapped = drawWords(220, 80, [...line(10, 1, 9, 9, 3), ...line(40, 4, 5)]);
  const short = { only: null, hidden: [box(50, 10, 30, 12)] };
  const long = { only: null, hidden: [box(50, 10, 70, 12)] };
  for (const picture of [after, wrapped]) {
    const { similarity, regions, layoutOnly } = compareVisibleAreas(before, picture, [short, long]);
    expect(similarity).toBe(100);
    expect(regions.length).toBeGreaterThan(0);
    expect(layoutOnly).toEqual(regions.map((_, index) => index));
  }
  const other = drawWords(220, 80, [...line(10, 1, 9, 9, 3), ...line(40, 4, 7)]);
  const news = compareVisibleAreas(before, other, [short, long]);
  expect(news.similarity).toBeLessThan(90);
  expect(news.regions.length).toBeGreaterThan(news.layoutOnly?.length ?? 0);
});

test("the same words with the same amount of ink are the same, however a browser draws their letters", () => {
  const sentence = { text: "The same words", box: box(10, 10, 150, 12) };
  const before = drawWords(200, 60, line(10, 1, 3, 4));
  const drawnAnew = drawWords(200, 60, line(10, 5, 6, 8));
  const recolored = drawWords(200, 60, line(10, 1, 3, 4));
  recolored.data.forEach((value, at) => {
    if (value === 0x20 && at % 3 === 0) recolored.data[at] = 0xc0;
  });
  const area = { only: [box(0, 0, 200, 40)], hidden: [], words: [sentence] };
  expect(compareVisibleAreas(before, drawnAnew, [area, area]).regions).toEqual([]);
  expect(compareVisibleAreas(before, recolored, [area, area]).regions).not.toEqual([]);
  const other = { ...area, words: [{ ...sentence, text: "Other words" }] };
  expect(compareVisibleAreas(before, drawnAnew, [area, other]).regions).not.toEqual([]);
});

test("what a rule ignores on a colored area leaves no trace", () => {
  const area = box(0, 0, 220, 60);
  const before = drawWords(220, 80, line(10, 1, 9, 2), [area]);
  const after = drawWords(220, 80, line(10, 1, 8, 2), [area]);
  const hidden = { only: null, hidden: [box(50, 10, 30, 12)] };
  expect(compareVisibleAreas(before, after, [hidden, hidden]).regions).toEqual([]);
});

test("a chosen element is compared with itself: a wider box around the same words is layout only", () => {
  const before = drawWords(300, 60, line(10, 1, 2), [box(0, 0, 100, 40)]);
  const after = drawWords(
    300,
    60,
    line(10, 1, 2).map((word) => ({ ...word, x: word.x + 90 })),
    [box(60, 0, 180, 40)],
  );
  const {
    similarity,
    regions,
    layoutOnly = [],
  } = compareVisibleAreas(before, after, [only(box(0, 0, 100, 40)), only(box(60, 0, 180, 40))]);
  expect([similarity, layoutOnly.length]).toEqual([100, regions.length]);
});

test("chosen elements in another order are the same; one that goes or comes is a region of its own", () => {
  const rows = [5, 25, 45].map((y) => box(0, y, 200, 20));
  const before = drawWords(200, 70, [...line(8, 1, 2), ...line(28, 3, 4), ...line(48, 5, 6)]);
  const after = drawWords(200, 70, [...line(8, 5, 6), ...line(28, 1, 2), ...line(48, 3, 4)]);
  expect(compareVisibleAreas(before, after, [only(...rows), only(...rows)])).toEqual({
    similarity: 100,
    regions: [],
  });
  const [first = head, second = head] = rows;
  const fewer = compareVisibleAreas(before, after, [only(...rows), only(first, second)]);
  expect(fewer.regions).toEqual([{ kind: "removed", old: rows[1], new: null }]);
  expect(fewer.similarity).toBe(80);
});

test.for<[what: string, before: number, after: number]>([
  ["another color", 0x22aa44, 0xcc2222],
  ["a warmer color", 0x22aa44, 0xddaa22],
])("a chosen area without words that gets %s is no layout", ([, before, after]) => {
  const area = box(20, 20, 40, 40);
  const [one, other] = [before, after].map((color) => drawWords(100, 80, [], [{ ...area, color }]));
  const { regions, layoutOnly } = compareVisibleAreas(one as never, other as never, [only(area), only(area)]);
  expect([regions.length, layoutOnly]).toEqual([1, undefined]);
});

test("the same bars in another order are no layout", () => {
  const chart = (heights: number[], x: number) =>
    drawWords(
      300,
      100,
      [],
      heights.map((height, at) => ({
        x: x + 10 + at * 24,
        y: 90 - height,
        width: 18,
        height,
        color: 0x203060,
      })),
    );
  const area = (x: number) => only(box(x, 0, 150, 100));
  const {
    similarity,
    regions,
    layoutOnly = [],
  } = compareVisibleAreas(chart([20, 40, 60, 80], 0), chart([80, 60, 40, 20], 100), [area(0), area(100)]);
  expect(regions.length).toBeGreaterThan(layoutOnly.length);
  expect(similarity).toBeLessThan(80);
});

test("the same bands in another order are no layout", () => {
  const bands = (...colors: number[]) =>
    drawWords(
      100,
      100,
      [],
      colors.map((color, at) => ({ x: 10, y: 10 + at * 20, width: 80, height: 20, color })),
    );
  const area = only(box(10, 0, 80, 100));
  const [before, after] = [bands(0x22aa44, 0xcc2222), bands(0xcc2222, 0x22aa44)];
  const { regions, layoutOnly = [] } = compareVisibleAreas(before, after, [area, area]);
  expect(regions.length).toBeGreaterThan(layoutOnly.length);
});

test("a picture that is nested without end is compared as it is, within a fixed amount of work", () => {
  const size = 256;
  const nested = (offset: number) => {
    const data = new Uint8Array(size * size * 3).fill(255);
    for (let level = 0; level < size / 4; level++) {
      const inset = level * 2 + offset;
      for (let at = inset; at < size - inset; at++)
        for (const [x, y] of [
          [at, inset],
          [inset, at],
          [at, size - 1 - inset],
          [size - 1 - inset, at],
        ] as const)
          data.fill(0, (y * size + x) * 3, (y * size + x) * 3 + 3);
    }
    return { width: size, height: size, data };
  };
  const hidden = { only: null, hidden: [box(0, 0, 1, 1)] };
  const { regions, layoutOnly } = compareVisibleAreas(nested(0), nested(1), [hidden, hidden]);
  expect([regions.length > 0, layoutOnly]).toEqual([true, undefined]);
});
