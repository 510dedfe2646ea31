import type { Selector } from "../rules.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Box, Sight } from "../verdict.ts";
import type { TextCutter } from "./text-cutter.ts";

/** A job's rules, read. */
export type Glasses = { selectors: Selector[]; ignored: Selector[]; lines: TextCutter };

/** A capture as its job's rules let it be seen. */
export type View = {
  /** As if nothing else had been there; empty where the selector matches nothing. */
  snapshot: Snapshot;
  /** What of the picture counts; null where nobody can say. */
  sight: Sight | null;
  isAbsent: boolean;
  /** Where its lines stand on the picture; absent where no rule cut any: then `placesOf` reads the snapshot's. */
  places?: Placed[];
};

/** A line on the picture, and the index of the element it stands in. */
export type Placed = { text: string; at: number; box: Box };
