import type { Snapshot } from "#detection/snapshot.ts";
import type { Verdict } from "#detection/verdict.ts";

/** One kind of difference, found in a way of its own; `unlisted` gives what the verdict neither tells nor lists. */
export type LawPart = {
  name: string;
  unlisted: (before: Snapshot, after: Snapshot, verdict: Verdict) => string[];
};
