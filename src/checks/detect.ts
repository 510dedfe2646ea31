import { read } from "#capture/reader.ts";
import { applyRules, readRules, type View } from "#detection/apply-rules.ts";
import { boundVerdict } from "#detection/bound-verdict.ts";
import { findMeant } from "#detection/call-noise.ts";
import { compare, learnTwin } from "#detection/compare.ts";
import type { ImageComparison } from "#detection/compare-image.ts";
import { judgeConditions } from "#detection/conditions.ts";
import { describeRegions } from "#detection/describe-regions.ts";
import { diffRows } from "#detection/diff-rows.ts";
import { readValues } from "#detection/follow.ts";
import { findLookups, holdsOneOf, withLookups } from "#detection/lookup.ts";
import { emptyMemory } from "#detection/noise-memory.ts";
import { seePictures } from "#detection/see-pictures.ts";
import type { Verdict } from "#detection/verdict.ts";
import { withValues } from "#detection/with-values.ts";
import type { Detector, Pictures } from "./deps.ts";

type Work = {
  [Name in keyof Detector]: (input: Parameters<Detector[Name]>[0]) => Awaited<ReturnType<Detector[Name]>>;
};

/** What a detector does, where nobody has to wait for it or end it. */
export const detect: Work = {
  ...read,
  compare({ before, after, memory, pictures, lookup, values, alertIf }) {
    const [one, other] = [before.snapshot, after.snapshot];
    const looks = compareLooks(before, after, pictures);
    const compared = compare(one, other, memory ?? emptyMemory(), looks);
    let verdict: Verdict = boundVerdict(compared.verdict);
    if (lookup) verdict = withLookups(verdict, findLookups(one, other, lookup), lookup.when);
    if (values) verdict = withValues(verdict, values.before, values.after);
    const untold =
      verdict.changed && alertIf
        ? judgeConditions(alertIf, { verdict, before: one, after: other, values: values ?? null })
        : null;
    const judged = untold === null ? verdict : { ...verdict, untold };
    return { verdict: describeRegions(judged, before, after), memory: compared.memory };
  },
  learnTwin({ first, second, memory, pictures, at }) {
    const looks = compareLooks(first, second, pictures);
    return learnTwin(first.snapshot, second.snapshot, memory ?? emptyMemory(), looks, at);
  },
  findMeant({ first, second, memory, pictures, ids }) {
    const looks = compareLooks(first, second, pictures);
    return findMeant(first.snapshot, second.snapshot, memory ?? emptyMemory(), looks, ids);
  },
  diffRows({ base, next, stride }) {
    return diffRows(base, next, stride);
  },
  view({ snapshot, rules }) {
    return applyRules(snapshot, readRules(rules));
  },
  values({ follow, snapshot, view }) {
    return readValues(follow, snapshot, view.snapshot);
  },
  holdsOneOf({ source, strings }) {
    return holdsOneOf(source, strings);
  },
};

function compareLooks(before: View, after: View, pictures: Pictures): ImageComparison | null {
  if (pictures === "same") return { similarity: 100, regions: [] };
  if (!pictures || !before.sight || !after.sight) return null;
  const isImage = before.snapshot.kind === "image" && after.snapshot.kind === "image";
  return seePictures(pictures.before, pictures.after, [before.sight, after.sight], isImage);
}
