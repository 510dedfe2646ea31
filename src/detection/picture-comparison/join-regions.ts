import type { Box, Region } from "../verdict/verdict.ts";
import { unionOf } from "./boxes.ts";

// Changed regions no more than this many pixels apart belong together: a paragraph's lines, a card's parts.
const MAX_GAP = 24;
// With more regions than this, joining them one by one costs more than it is worth.
const MAX_JOINED = 600;

type Pair = { old: Box; new: Box };

/** Joins changed regions that are close together or overlap. */
export function joinRegions(changed: Region[]): Region[] {
  if (changed.length > MAX_JOINED) return [...changed];
  let joined: Pair[] = [];
  for (const region of changed) {
    let grown: Pair = { old: region.old!, new: region.new! };
    // A region that has grown may now be near others that it was not near before.
    for (let size = 0; size !== joined.length; ) {
      size = joined.length;
      const separate: Pair[] = [];
      for (const other of joined) {
        if (isNear(grown, other))
          grown = { old: unionOf(grown.old, other.old), new: unionOf(grown.new, other.new) };
        else separate.push(other);
      }
      joined = separate;
    }
    joined.push(grown);
  }
  return joined.map((pair) => ({ kind: "changed", ...pair }));
}

/** Whether two regions are near in both pictures: those that shifted differently stay separate. */
function isNear(one: Pair, other: Pair): boolean {
  const isSameShift = one.old.y - one.new.y === other.old.y - other.new.y;
  return isSameShift && gapOf(one.new, other.new) <= MAX_GAP;
}

function gapOf(one: Box, other: Box): number {
  const across = Math.max(other.x - one.x - one.width, one.x - other.x - other.width);
  const down = Math.max(other.y - one.y - one.height, one.y - other.y - other.height);
  return Math.max(across, down);
}
