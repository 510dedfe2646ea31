import { alignIds } from "../../line-and-word-diff/align-ids.ts";
import type { Box } from "../../verdict/verdict.ts";
import type { Piece, Pieces } from "./split-picture.ts";

export type NewPieces = {
  /** Boxes of the pieces and backgrounds that only the old, or only the new picture has. */
  old: Box[];
  now: Box[];
  /** Their share of all pieces, 0 to 1. */
  share: number;
  /** The pictures have the same pieces, in another order. */
  isReordered: boolean;
};

/** Finds what differs between two pictures besides the layout: pieces in another order or with another look. */
export function findNewPieces(old: Pieces, now: Pieces): NewPieces {
  const ids = new Map<number, number>();
  const toIds = ({ pieces }: Pieces) =>
    Uint32Array.from(pieces, ({ look }) => {
      const id = ids.get(look) ?? ids.size;
      ids.set(look, id);
      return id;
    });
  const [a, b] = [toIds(old), toIds(now)];
  const moved: { old: Piece[]; now: Piece[] } = { old: [], now: [] };
  for (const { oldStart, oldCount, newStart, newCount } of alignIds(a, b, ids.size)) {
    moved.old.push(...old.pieces.slice(oldStart, oldStart + oldCount));
    moved.now.push(...now.pieces.slice(newStart, newStart + newCount));
  }
  const found = {
    old: [...backgroundsMissingIn(now, old), ...boxesOf(moved.old)],
    now: [...backgroundsMissingIn(old, now), ...boxesOf(moved.now)],
  };
  const all = areaOf(boxesOf(old.pieces)) + areaOf(boxesOf(now.pieces));
  const different = areaOf(found.old) + areaOf(found.now);
  const share = different === 0 ? 0 : Math.min(1, different / Math.max(all, 1));
  const isReordered = moved.old.length > 0 && looksOf(moved.old) === looksOf(moved.now);
  return { ...found, share, isReordered };
}

const looksOf = (pieces: Piece[]) =>
  pieces
    .map(({ look }) => look)
    .sort((one, other) => one - other)
    .join(" ");

const boxesOf = (pieces: Piece[]) => pieces.map(({ box }) => box);

const backgroundsMissingIn = (other: Pieces, { backgrounds }: Pieces) =>
  [...backgrounds].flatMap(([color, box]) => (other.backgrounds.has(color) ? [] : [box]));

const areaOf = (boxes: Box[]) => boxes.reduce((sum, { width, height }) => sum + width * height, 0);
