import { expect, test } from "vitest";
import type { Box } from "../verdict/verdict.ts";
import { compareVisibleAreas, see } from "./compare-visible-areas.ts";

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
