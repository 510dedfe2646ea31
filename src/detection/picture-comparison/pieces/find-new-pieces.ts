import { alignItems } from "../../line-and-word-diff/align-ids.ts";
import { itemsIn } from "../../line-and-word-diff/hunks.ts";
import type { Box } from "../../verdict/verdict.ts";
import { areaOf } from "../boxes.ts";
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
  const looks = ({ pieces }: Pieces) => pieces.map(({ look }) => look);
  const hunks = alignItems(looks(old), looks(now)).map((hunk) => itemsIn(hunk, old.pieces, now.pieces));
  const moved = { old: hunks.flatMap(([removed]) => removed), now: hunks.flatMap(([, added]) => added) };
  const found = {
    old: [...backgroundsMissingIn(now, old), ...boxesOf(moved.old)],
    now: [...backgroundsMissingIn(old, now), ...boxesOf(moved.now)],
  };
  const all = totalArea(boxesOf(old.pieces)) + totalArea(boxesOf(now.pieces));
  const different = totalArea(found.old) + totalArea(found.now);
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

const totalArea = (boxes: Box[]) => boxes.reduce((sum, box) => sum + areaOf(box), 0);
