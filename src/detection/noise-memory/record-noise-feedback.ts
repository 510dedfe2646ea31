import { compare } from "../compare.ts";
import { observeValues, type ValuesPair } from "../followed-values/add-followed-values.ts";
import type { ImageComparison } from "../picture-comparison/compare-image.ts";
import { addKnownBoxes } from "../picture-comparison/judge-picture.ts";
import { Budget } from "../selectors-and-ignore-rules/rule-budget.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { findLookups, type LookupRule, observeLookup } from "../text-lookup/lookup.ts";
import type { Box } from "../verdict/verdict.ts";
import { idOf } from "./feedback.ts";
import {
  addNoiseFeedback,
  emptyMemory,
  keepKnownNoise,
  type NoiseMemory,
  openMemory,
} from "./noise-memory.ts";
import { type Observation } from "./observation.ts";

/** Differences that the user gives feedback on: observations for the noise memory, and boxes of the picture. */
export type FeedbackTargets = { seen: Observation[]; boxes: Box[] };

/** What a job reports besides the page's own differences: looked-up strings and followed values. */
export type Asked = { lookup: LookupRule | null; values: ValuesPair | null };

/** Finds the differences between two captures by their ids; all reported differences if `ids` is null. */
export function findMeant(
  previous: Snapshot,
  current: Snapshot,
  storedMemory: NoiseMemory,
  picture: ImageComparison | null,
  ids: string[] | null,
  { lookup, values }: Asked = { lookup: null, values: null },
  budget = new Budget(),
): FeedbackTargets {
  const memory = openMemory(storedMemory);
  // Noise that was learned later must not hide the differences that the user means.
  const fresh = { ...emptyMemory(), kept: memory.kept };
  const { news, pictured } = compare(previous, current, ids ? fresh : keepKnownNoise(memory), picture);
  const isMeant = (id: string) => ids?.includes(id) ?? true;
  const requested = [
    ...(lookup
      ? findLookups(previous, current, lookup, budget).map((match) => observeLookup(match, lookup.when))
      : []),
    ...(values ? observeValues(values) : []),
  ];
  return {
    seen: [...news, ...requested].filter((observation) => isMeant(idOf(observation))),
    boxes: pictured.filter(({ id }) => isMeant(id)).map(({ box }) => box),
  };
}

/** Returns the memory after the user marked differences as noise. */
export function recordNoiseFeedback(
  memory: NoiseMemory,
  { seen, boxes }: FeedbackTargets,
  at: string,
): NoiseMemory {
  const marked = addNoiseFeedback(memory, seen, at);
  return boxes.length === 0
    ? marked
    : addKnownBoxes(
        marked,
        boxes.map((box) => ({ ...box, since: at, said: true as const })),
      );
}
