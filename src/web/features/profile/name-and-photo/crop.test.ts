import fc from "fast-check";
import { expect, test } from "vitest";
import { maximumZoom, moveCrop, squareOf } from "./crop.ts";

test("the crop starts as the largest square in the middle", () => {
  expect(squareOf(400, 300, { x: 0.5, y: 0.5, zoom: 1 })).toEqual({ left: 50, top: 0, side: 300 });
});

test("zooming keeps the middle", () => {
  expect(squareOf(400, 300, { x: 0.5, y: 0.5, zoom: 2 })).toEqual({ left: 125, top: 75, side: 150 });
});

test("moving stops at the edge, and moving back takes effect at once", () => {
  const atEdge = moveCrop(400, 300, { x: 0.5, y: 0.5, zoom: 1 }, 5, 0);
  expect(squareOf(400, 300, atEdge).left).toBe(100);
  expect(squareOf(400, 300, moveCrop(400, 300, atEdge, -0.1, 0)).left).toBeCloseTo(70, 9);
});

test("the crop never leaves the picture", () => {
  const size = fc.integer({ min: 1, max: 20_000 });
  const share = fc.double({ min: -10, max: 10, noNaN: true });
  fc.assert(
    fc.property(size, size, share, share, share, share, share, (width, height, x, y, zoom, dx, dy) => {
      const { left, top, side } = squareOf(width, height, moveCrop(width, height, { x, y, zoom }, dx, dy));
      const slack = 1e-6 * Math.max(width, height);
      expect(left).toBeGreaterThanOrEqual(-slack);
      expect(top).toBeGreaterThanOrEqual(-slack);
      expect(left + side).toBeLessThanOrEqual(width + slack);
      expect(top + side).toBeLessThanOrEqual(height + slack);
      expect(side).toBeGreaterThanOrEqual(Math.min(width, height) / maximumZoom - slack);
    }),
  );
});
