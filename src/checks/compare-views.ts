import { judgeConditions } from "#alert-conditions/conditions.ts";
import type { AlertIf } from "#contract/alert-if.ts";
import type { Lookup } from "#contract/job.ts";
import { compare } from "#detection/compare.ts";
import {
  addFollowedValues,
  observeValues,
  type ValuesPair,
} from "#detection/followed-values/add-followed-values.ts";
import { emptyMemory, type NoiseMemory, updateMemoryFeedback } from "#detection/noise-memory/noise-memory.ts";
import type { Image, ImageComparison } from "#detection/picture-comparison/compare-image.ts";
import { compareVisibleAreas } from "#detection/picture-comparison/compare-visible-areas.ts";
import { describeRegions } from "#detection/picture-comparison/describe-regions.ts";
import { photosOf } from "#detection/picture-comparison/photo.ts";
import type { View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { Budget } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { addLookups, findLookups } from "#detection/text-lookup/lookup.ts";
import { boundVerdict } from "#detection/verdict/bound-verdict.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { openView, type StoredView } from "./stored-capture.ts";

export type CompareInput = {
  before: View | StoredView;
  after: View | StoredView;
  memory: NoiseMemory | null;
  pictures: Pictures;
  /** Strings whose appearance or removal is alerted. */
  lookup?: Lookup | null;
  /** The followed values of both captures. */
  values?: ValuesPair | null;
  /** Which changes are alerted; null for all. */
  alertIf?: AlertIf | null;
  /** `after` is an error page: only its status is compared. */
  isError?: boolean;
  /** When `after` was captured, as an ISO date, if the noise memory should know. */
  at?: string;
};
export type Compared = { verdict: Verdict; memory: NoiseMemory };
/** Null when there are no two pictures to compare, "same" when they are known to be equal. */
export type Pictures = { before: Image; after: Image } | "same" | null;

/** Compares two filtered captures. Searching them for strings is charged to `budget`. */
export function compareViews(input: CompareInput, budget = new Budget()): Compared {
  const { pictures, alertIf, isError = false } = input;
  const { lookup, values } = isError ? {} : input;
  const [before, after] = [openView(input.before), openView(input.after)];
  const memory = input.memory ?? emptyMemory();
  const [oldPage, newPage] = [before.snapshot, after.snapshot];
  const pictureComparison = comparePictures(before, after, pictures);
  const compared = compare(oldPage, newPage, memory, pictureComparison, input.at);
  let verdict: Verdict = boundVerdict(isError ? statusOnly(compared.verdict) : compared.verdict);
  if (lookup)
    verdict = addLookups(verdict, findLookups(oldPage, newPage, lookup, budget), lookup.when, memory);
  if (values) verdict = addFollowedValues(verdict, values.before, values.after, memory);
  const outcome =
    verdict.changed && alertIf
      ? judgeConditions(alertIf, {
          verdict,
          before: oldPage,
          after: newPage,
          values: values ?? null,
          isError,
          budget,
        })
      : {};
  const judged = { ...verdict, ...outcome };
  if (isError) return { verdict: judged, memory };
  const learned = values ? updateMemoryFeedback(compared.memory, observeValues(values)) : compared.memory;
  return { verdict: describeRegions(judged, before, after), memory: learned };
}

/** Reduces a verdict to the HTTP status, without the page's content. */
function statusOnly(verdict: Verdict): Verdict {
  const reasons = verdict.reasons.filter(({ kind }) => kind === "status");
  const [first] = reasons;
  const { waits: _waits, stood: _wasPending, ...rest } = verdict;
  return {
    ...rest,
    changed: first !== undefined,
    folded: false,
    often: [],
    severity: first?.severity ?? "info",
    summary: first?.summary ?? "No change",
    reasons,
    findings: [],
    hunks: [],
    regions: [],
    ignored: [],
    ignoredCount: 0,
  };
}

export function comparePictures(before: View, after: View, pictures: Pictures): ImageComparison | null {
  if (pictures === "same") return { similarity: 100, regions: [] };
  if (!pictures || !before.comparedArea || !after.comparedArea) return null;
  const isImage = before.snapshot.kind === "image" && after.snapshot.kind === "image";
  return compareVisibleAreas(
    pictures.before,
    pictures.after,
    [
      { ...before.comparedArea, words: before.places ?? [], photos: photosOf(before.snapshot) },
      { ...after.comparedArea, words: after.places ?? [], photos: photosOf(after.snapshot) },
    ],
    isImage,
  );
}
