import type { Box } from "./verdict.ts";

/**
 * Unpacks boxes: one a semicolon, each as what its numbers are more than those before, in base 36, zeros left out.
 * So a page that grew differs in a few numbers. Null for what has no box. Whoever packs is in capture/browser/in-page.
 */
export function readBoxes(packed: string): (Box | null)[] {
  return readRows(packed, 4).map(
    (row) => row && { x: row[0] ?? 0, y: row[1] ?? 0, width: row[2] ?? 0, height: row[3] ?? 0 },
  );
}

/** The same of blocks of text, each with the index of the element it stands in. */
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
  const last: number[] = Array.from({ length: size }, () => 0);
  return packed.split(";").map((token) => {
    if (token === "-") return null;
    token.split(",", size).forEach((more, at) => {
      if (more !== "") last[at] = (last[at] ?? 0) + Number.parseInt(more, 36);
    });
    return last.slice();
  });
}
