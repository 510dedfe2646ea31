import type { NoiseRow } from "./noise-rule.ts";

export const memoryRows: readonly NoiseRow[] = [
  {
    id: "said.difference",
    claim: "The user said “This is noise” of this difference, or of one that it continues",
    where: "anywhere",
  },
  {
    id: "rule.location",
    claim:
      "The user answered “It's noise” for a location that changes often; defacement and spam are alerted",
    where: "anywhere",
  },
  {
    id: "learned.value",
    claim:
      "Two captures of the same moment had different values there; one that doesn't fit the values is alerted",
    where: "anywhere",
  },
  {
    id: "learned.piece",
    claim: "Only one of two captures of the same moment showed it",
    where: "anywhere",
  },
  {
    id: "learned.picture",
    claim: "Two captures of the same moment looked different there",
    where: "picture",
  },
];
