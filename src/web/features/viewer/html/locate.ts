import type { Region } from "#detection/verdict/verdict.ts";
import type { Diff, Elements } from "./lines.ts";

/** Returns for each change of the HTML the first region that shows it, or -1. */
export function regionsOfChanges(
  diff: Diff,
  elements: Elements | undefined,
  regions: readonly Region[],
): number[] {
  const found = diff.hunks.map(() => -1);
  if (elements)
    regions.forEach((region, at) => {
      for (const hunk of changesOf(diff, elements, region)) if (found[hunk] === -1) found[hunk] = at;
    });
  return found;
}

/** Returns the change of the HTML that a region shows, else the one nearest to its element; -1 if unknown. */
export function changeOfRegion(diff: Diff, elements: Elements, region: Region): number {
  const [own] = changesOf(diff, elements, region);
  if (own !== undefined) return own;
  const line = linesOf(elements.new, region.at?.new)?.[0];
  if (line === undefined) return -1;
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  diff.hunks.forEach(({ newStart }, hunk) => {
    if (Math.abs(newStart - line) >= least) return;
    least = Math.abs(newStart - line);
    nearest = hunk;
  });
  return nearest;
}

function changesOf(diff: Diff, elements: Elements, { at }: Region): number[] {
  const [old, now] = [linesOf(elements.old, at?.old), linesOf(elements.new, at?.new)];
  const touches = (lines: [number, number] | undefined, start: number, count: number) =>
    lines !== undefined && count > 0 && start <= lines[1] && start + count > lines[0];
  return diff.hunks.flatMap((hunk, index) =>
    touches(old, hunk.oldStart, hunk.oldCount) || touches(now, hunk.newStart, hunk.newCount) ? [index] : [],
  );
}

function linesOf(elements: readonly number[], at: number | null | undefined): [number, number] | undefined {
  if (at === null || at === undefined) return undefined;
  const first = elements[2 * at];
  return first === undefined ? undefined : [first, elements[2 * at + 1] ?? first];
}
