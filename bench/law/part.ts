import type { Snapshot } from "#detection/snapshot/snapshot.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";

/** One kind of difference, found independently; `unlisted` returns what the verdict neither alerts nor lists. */
export type LawPart = {
  name: string;
  unlisted: (before: Snapshot, after: Snapshot, verdict: Verdict) => string[];
};
