import type { Box, Region } from "../verdict.ts";

// Changed places no further apart than this belong together: a paragraph's lines, a card's parts.
const NEAR = 24;
// Beyond so many regions joining them one by one costs more than it tells.
const MAX_JOINED = 600;

type Pair = { old: Box; new: Box };

/** Changed regions that lie close together, or on each other, as one. */
export function joinRegions(changed: Region[]): Region[] {
  if (changed.length > MAX_JOINED) return [...changed];
  let joined: Pair[] = [];
  for (const region of changed) {
    let grown: Pair = { old: region.old!, new: region.new! };
    // What has grown may now touch others that it did not touch before.
    for (let size = 0; size !== joined.length; ) {
      size = joined.length;
      const apart: Pair[] = [];
      for (const other of joined) {
        if (isNear(grown, other))
          grown = { old: around(grown.old, other.old), new: around(grown.new, other.new) };
        else apart.push(other);
      }
      joined = apart;
    }
    joined.push(grown);
  }
  return joined.map((pair) => ({ kind: "changed", ...pair }));
}

/** Near in both pictures: what was pushed apart stays apart. */
function isNear(one: Pair, other: Pair): boolean {
  const isSameShift = one.old.y - one.new.y === other.old.y - other.new.y;
  return isSameShift && gapOf(one.new, other.new) <= NEAR;
}

function gapOf(one: Box, other: Box): number {
  const across = Math.max(other.x - one.x - one.width, one.x - other.x - other.width);
  const down = Math.max(other.y - one.y - one.height, one.y - other.y - other.height);
  return Math.max(across, down);
}

function around(one: Box, other: Box): Box {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}
