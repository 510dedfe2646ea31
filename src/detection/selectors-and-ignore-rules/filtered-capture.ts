import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Box, ComparedArea } from "../verdict/verdict.ts";
import type { Ignorable, Selector } from "./rules.ts";
import type { TextStep } from "./step-kinds.ts";
import type { TextCutter } from "./text-cutter.ts";
import type { ReadStep } from "./text-steps.ts";

/** A job's rules after parsing. */
export type ParsedRules = {
  selectors: Selector[];
  ignored: Ignorable[];
  lines: TextCutter;
  steps: { step: TextStep; apply: ReadStep }[];
  isSource: boolean;
  /** The entries of `ignore` that have matched nothing so far. */
  listIdle: () => string[];
};

/** A capture filtered by its job's rules. */
export type View = {
  /** The capture with only what the rules keep; empty if the selector matches nothing. */
  snapshot: Snapshot;
  /** Which parts of the picture count; null if that is unknown. */
  comparedArea: ComparedArea | null;
  isAbsent: boolean;
  /** The entries of `ignore` that match nothing on it; absent if there are none. */
  idle?: string[];
  /** Positions of its lines in the picture; absent if no rule cut any: the snapshot's layout is read then. */
  places?: Placed[];
};

/** A capture of which no rule cut anything. */
export const wholeView = (snapshot: Snapshot): View => ({
  snapshot,
  comparedArea: { only: null, hidden: [] },
  isAbsent: false,
});

/** A line in the picture, with the index of the element that contains it. */
export type Placed = { text: string; at: number; box: Box };
