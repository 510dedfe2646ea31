import type { Lookup } from "#contract/job.ts";
import type { View } from "#detection/apply-rules.ts";
import { boundVerdict } from "#detection/bound-verdict.ts";
import { compare } from "#detection/compare.ts";
import type { Image, ImageComparison } from "#detection/compare-image.ts";
import { findLookups, withLookups } from "#detection/lookup.ts";
import { emptyMemory, type NoiseMemory } from "#detection/noise-memory.ts";
import { seePictures } from "#detection/see-pictures.ts";
import type { Verdict } from "#detection/verdict.ts";

export type CompareInput = {
  before: View;
  after: View;
  memory: NoiseMemory | null;
  pictures: Pictures;
  /** Strings that are told of when they come or go. */
  lookup?: Lookup | null;
};
export type Compared = { verdict: Verdict; memory: NoiseMemory };
/** Null when there is nothing to compare, "same" when they are known to be equal. */
export type Pictures = { before: Image; after: Image } | "same" | null;

/** All that is said of two captures as their job's rules show them. */
export function compareViews({ before, after, memory, pictures, lookup }: CompareInput): Compared {
  const [one, other] = [before.snapshot, after.snapshot];
  const looks = compareLooks(before, after, pictures);
  const compared = compare(one, other, memory ?? emptyMemory(), looks);
  const verdict = boundVerdict(compared.verdict);
  if (!lookup) return { ...compared, verdict };
  const matches = findLookups(one, other, lookup);
  return { ...compared, verdict: withLookups(verdict, matches, lookup.when) };
}

export function compareLooks(before: View, after: View, pictures: Pictures): ImageComparison | null {
  if (pictures === "same") return { similarity: 100, regions: [] };
  if (!pictures || !before.sight || !after.sight) return null;
  const isImage = before.snapshot.kind === "image" && after.snapshot.kind === "image";
  return seePictures(pictures.before, pictures.after, [before.sight, after.sight], isImage);
}
