import { compare } from "./compare.ts";
import type { ImageComparison } from "./compare-image.ts";
import { withBoxes } from "./judge-picture.ts";
import { findLookups, type LookupRule, observeLookup } from "./lookup.ts";
import { idOf } from "./noise/said.ts";
import {
  emptyMemory,
  lookBack,
  type NoiseMemory,
  type Observation,
  openMemory,
  sayNoise,
} from "./noise-memory.ts";
import { Budget } from "./rule-budget.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Box } from "./verdict.ts";
import { observeValues, type ValuesPair } from "./with-values.ts";

/** Differences that the user speaks of: as the memory knows them, and parts of the picture. */
export type Meant = { seen: Observation[]; boxes: Box[] };

/** What a job asks for beside the page's own differences. */
export type Asked = { lookup: LookupRule | null; values: ValuesPair | null };

/** Finds the differences between two captures by their names, or all that are told. */
export function findMeant(
  previous: Snapshot,
  current: Snapshot,
  kept: NoiseMemory,
  picture: ImageComparison | null,
  ids: string[] | null,
  { lookup, values }: Asked = { lookup: null, values: null },
  budget = new Budget(),
): Meant {
  const memory = openMemory(kept);
  // Nothing that was learned since may hide what is spoken of.
  const fresh = { ...emptyMemory(), kept: memory.kept };
  const { news, pictured } = compare(previous, current, ids ? fresh : lookBack(memory), picture);
  const isMeant = (id: string) => ids?.includes(id) ?? true;
  const asked = [
    ...(lookup
      ? findLookups(previous, current, lookup, budget).map((one) => observeLookup(one, lookup.when))
      : []),
    ...(values ? observeValues(values) : []),
  ];
  return {
    seen: [...news, ...asked].filter((seen) => isMeant(idOf(seen))),
    boxes: pictured.filter(({ id }) => isMeant(id)).map(({ box }) => box),
  };
}

/** The memory once the user has called differences noise. */
export function callNoise(memory: NoiseMemory, { seen, boxes }: Meant, at: string): NoiseMemory {
  const said = seen.reduce((known, one) => sayNoise(known, one, at), memory);
  return boxes.length === 0
    ? said
    : withBoxes(
        said,
        boxes.map((box) => ({ ...box, since: at, said: true as const })),
      );
}
