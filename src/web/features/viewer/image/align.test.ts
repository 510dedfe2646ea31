import { expect, test } from "vitest";
import { compareImage, type Image } from "#detection/picture-comparison/compare-image.ts";
import type { Region } from "#detection/verdict/verdict.ts";
import { alignBands, sheetHeight, toSheet } from "./align.ts";

const band = (y: number, height: number, x = 0) => ({ x, y, width: 100, height });

test("a banner inserted at the top leaves a gap in the old picture, and the rest is aligned", () => {
  const regions: Region[] = [{ kind: "added", old: null, new: band(0, 40) }];
  const bands = alignBands(regions, 1000, 1040);
  expect(bands).toEqual([
    { at: 0, height: 40, oldY: null, newY: 0 },
    { at: 40, height: 1000, oldY: 0, newY: 40 },
  ]);
  expect([toSheet(bands, "oldY", 500), toSheet(bands, "newY", 540)]).toEqual([540, 540]);
});

test("removed, added, moved and changed regions are aligned together", () => {
  const regions: Region[] = [
    { kind: "removed", old: band(100, 50), new: null },
    { kind: "changed", old: band(200, 10, 5), new: band(150, 10, 5) },
    { kind: "added", old: null, new: band(300, 30) },
    { kind: "moved", old: band(500, 20), new: band(600, 20) },
  ];
  const bands = alignBands(regions, 1000, 980);
  expect(sheetHeight(bands)).toBe(1000 + 30 + 20);
  // The changed box is at the same height of the sheet on both sides.
  expect(toSheet(bands, "oldY", 200)).toBe(toSheet(bands, "newY", 150));
  expect(toSheet(bands, "oldY", 999)).toBe(toSheet(bands, "newY", 979));
});

test("a strip to the right of the narrower picture leaves no gap in its rows", () => {
  expect(alignBands([{ kind: "added", old: null, new: band(0, 500, 100) }], 500, 500)).toEqual([
    { at: 0, height: 500, oldY: 0, newY: 0 },
  ]);
});

test("inconsistent regions still show every row of both pictures", () => {
  const bands = alignBands([{ kind: "added", old: null, new: band(900, 400) }], 300, 700);
  const rows = (side: "oldY" | "newY") =>
    bands.filter((one) => one[side] !== null).reduce((sum, { height }) => sum + height, 0);
  expect([rows("oldY"), rows("newY")]).toEqual([300, 700]);
});

test("the regions that detection finds are enough to align two pictures", () => {
  const row = (shade: number) => Array.from({ length: 64 }, (_, x) => (shade * 31 + x * 7) % 251);
  const image = (rows: number[]): Image => ({
    width: 64,
    height: rows.length,
    data: Uint8Array.from(rows.flatMap((shade) => row(shade).flatMap((value) => [value, shade % 256, 90]))),
  });
  const old = Array.from({ length: 300 }, (_, y) => y);
  const fresh = [...old.slice(0, 80), ...Array.from({ length: 25 }, (_, y) => 1000 + y), ...old.slice(80)];
  const { regions } = compareImage(image(old), image(fresh));
  const bands = alignBands(regions, 300, 325);
  for (const y of [0, 79, 80, 299]) {
    expect(toSheet(bands, "oldY", y)).toBe(toSheet(bands, "newY", y < 80 ? y : y + 25));
  }
});
