import type { Lookup } from "#contract/job.ts";
import type { View } from "#detection/apply-rules.ts";
import { boundVerdict } from "#detection/bound-verdict.ts";
import { compare } from "#detection/compare.ts";
import type { Image, ImageComparison } from "#detection/compare-image.ts";
import type { AlertIf } from "#detection/condition.ts";
import { judgeConditions } from "#detection/conditions.ts";
import { describeRegions } from "#detection/describe-regions.ts";
import { findLookups, withLookups } from "#detection/lookup.ts";
import { emptyMemory, followOn, type NoiseMemory } from "#detection/noise-memory.ts";
import { Budget } from "#detection/rule-budget.ts";
import { seePictures } from "#detection/see-pictures.ts";
import type { Verdict } from "#detection/verdict.ts";
import { observeValues, type ValuesPair, withValues } from "#detection/with-values.ts";
import { type KeptView, openView } from "./kept-view.ts";

export type CompareInput = {
  before: View | KeptView;
  after: View | KeptView;
  memory: NoiseMemory | null;
  pictures: Pictures;
  /** Strings that are told of when they come or go. */
  lookup?: Lookup | null;
  /** What was read of the followed values. */
  values?: ValuesPair | null;
  /** What of the changes is told. */
  alertIf?: AlertIf | null;
  /** What came after is an error page: only its status is compared. */
  isError?: boolean;
};
export type Compared = { verdict: Verdict; memory: NoiseMemory };
/** Null when there is nothing to compare, "same" when they are known to be equal. */
export type Pictures = { before: Image; after: Image } | "same" | null;

/** All that is said of two captures as their job's rules show them; what is looked for in them is paid from `budget`. */
export function compareViews(input: CompareInput, budget = new Budget()): Compared {
  const { pictures, alertIf, isError = false } = input;
  const { lookup, values } = isError ? {} : input;
  const [before, after] = [openView(input.before), openView(input.after)];
  const memory = input.memory ?? emptyMemory();
  const [one, other] = [before.snapshot, after.snapshot];
  const looks = compareLooks(before, after, pictures);
  const compared = compare(one, other, memory, looks);
  let verdict: Verdict = boundVerdict(isError ? statusOnly(compared.verdict) : compared.verdict);
  if (lookup) verdict = withLookups(verdict, findLookups(one, other, lookup, budget), lookup.when, memory);
  if (values) verdict = withValues(verdict, values.before, values.after, memory);
  const untold =
    verdict.changed && alertIf
      ? judgeConditions(alertIf, {
          verdict,
          before: one,
          after: other,
          values: values ?? null,
          isError,
          budget,
        })
      : null;
  const judged = untold === null ? verdict : { ...verdict, untold };
  if (isError) return { verdict: judged, memory };
  const learned = values ? followOn(compared.memory, observeValues(values)) : compared.memory;
  return { verdict: describeRegions(judged, before, after), memory: learned };
}

/** A verdict on how the server answered, without what its page shows. */
function statusOnly(verdict: Verdict): Verdict {
  const reasons = verdict.reasons.filter(({ kind }) => kind === "status");
  const [first] = reasons;
  const { waits: _waits, stood: _stood, ...rest } = verdict;
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

export function compareLooks(before: View, after: View, pictures: Pictures): ImageComparison | null {
  if (pictures === "same") return { similarity: 100, regions: [] };
  if (!pictures || !before.sight || !after.sight) return null;
  const isImage = before.snapshot.kind === "image" && after.snapshot.kind === "image";
  return seePictures(pictures.before, pictures.after, [before.sight, after.sight], isImage);
}
