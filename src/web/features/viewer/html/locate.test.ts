import { expect, test } from "vitest";
import type { Region } from "#detection/verdict/verdict.ts";
import { makeDiff } from "./lines.ts";
import { changeOfRegion, regionsOfChanges } from "./locate.ts";

const page = (lamp: string, stove: string) =>
  `<html><head></head><body><p>Open every day.</p>\n<p>Fjell lamp <b>${lamp}</b></p>\n<p>Standing.</p>\n<p>${stove}</p></body></html>`;
const region = (element: number): Region => ({
  kind: "changed",
  old: null,
  new: null,
  at: { old: element, new: element },
});
// html, head, body, p, p, b, p, p
const [lamp, stove, unchanged] = [region(4), region(7), region(6)];

test.each([true, false])(
  "a region leads to its change, and a change to its region (formatted: %s)",
  (formatted) => {
    const diff = makeDiff({ before: page("59", "Ember stove"), after: page("64", "Birch stove"), formatted });
    const elements = diff.findElements();
    expect(diff.hunks).toHaveLength(2);
    expect([changeOfRegion(diff, elements, lamp), changeOfRegion(diff, elements, stove)]).toEqual([0, 1]);
    expect(regionsOfChanges(diff, elements, [stove, lamp])).toEqual([1, 0]);
    expect(regionsOfChanges(diff, elements, [unchanged])).toEqual([-1, -1]);
    // Nothing changed in this region itself, so it leads to the nearest change.
    expect(changeOfRegion(diff, elements, unchanged)).toBeGreaterThanOrEqual(0);
    expect(changeOfRegion(diff, elements, { kind: "changed", old: null, new: null })).toBe(-1);
  },
);
