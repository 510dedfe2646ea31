import type { Selector } from "../rules.ts";
import type { Sight } from "../see-pictures.ts";
import type { Snapshot } from "../snapshot.ts";
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
};
