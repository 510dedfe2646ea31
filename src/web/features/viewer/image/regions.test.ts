import { expect, test } from "vitest";
import type { Region } from "#detection/verdict/verdict.ts";
import { splitRegions } from "./regions.ts";

const rows = (height: number, more: Partial<Region> = {}): Region => ({
  kind: "added",
  old: null,
  new: { x: 0, y: 100, width: 1280, height },
  ...more,
});

test("a row or two by which the page moved is noise; a taller one, one in words and a changed pixel are not", () => {
  const regions: Region[] = [
    rows(1),
    rows(40),
    rows(2, { says: "“Offer” added" }),
    { kind: "changed", old: null, new: { x: 0, y: 9, width: 1, height: 1 } },
    rows(2, { kind: "removed", old: { x: 0, y: 7, width: 1280, height: 2 }, new: null }),
  ];
  const marks = splitRegions({ changed: true, regions });
  expect(marks.regions).toEqual([regions[1], regions[2], regions[3]]);
  expect(marks.noise).toEqual([regions[0], regions[4]]);
  // Each region of the verdict is still found by its index.
  expect(marks.places).toEqual([3, 0, 1, 2, 4]);
});
