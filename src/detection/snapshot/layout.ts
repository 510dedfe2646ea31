import type { Box } from "../verdict/verdict.ts";

/**
 * Unpacks boxes. They are separated by semicolons; each number is the difference from the previous box's, in base 36,
 * zeros left out, so that a page that grew differs in a few numbers only. Null for an element without a box. The code
 * that packs boxes is in capture/browser/in-page.
 */
export function readBoxes(packed: string): (Box | null)[] {
  return readRows(packed, 4).map(
    (row) => row && { x: row[0] ?? 0, y: row[1] ?? 0, width: row[2] ?? 0, height: row[3] ?? 0 },
  );
}

/** Unpacks the boxes of text blocks, each with the index of the element that contains it. */
export function readTextBoxes(packed: string): ({ at: number; box: Box } | null)[] {
  return readRows(packed, 5).map(
    (row) =>
      row && {
        at: row[0] ?? 0,
        box: { x: row[1] ?? 0, y: row[2] ?? 0, width: row[3] ?? 0, height: row[4] ?? 0 },
      },
  );
}

function readRows(packed: string, size: number): (number[] | null)[] {
  if (packed === "") return [];
  const previous: number[] = Array.from({ length: size }, () => 0);
  return packed.split(";").map((token) => {
    if (token === "-") return null;
    token.split(",", size).forEach((delta, at) => {
      if (delta !== "") previous[at] = (previous[at] ?? 0) + Number.parseInt(delta, 36);
    });
    return previous.slice();
  });
}
