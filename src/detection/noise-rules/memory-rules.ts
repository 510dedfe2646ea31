import type { NoiseRow } from "./noise-rule.ts";

export const feedbackRow = {
  id: "said.difference",
  kind: "said",
  claim: "The user said “This is noise” of this difference, or of one that it continues",
  where: "anywhere",
} as const satisfies NoiseRow;

export const answerRow = {
  id: "rule.location",
  kind: "rule",
  claim: "The user answered “It's noise” for a location that changes often; defacement and spam are alerted",
  where: "anywhere",
} as const satisfies NoiseRow;

export const learnedSlot = {
  id: "learned.value",
  kind: "learned",
  claim:
    "Two captures of the same moment had different values there; one that doesn't fit the values is alerted",
  where: "anywhere",
} as const satisfies NoiseRow;

export const learnedPiece = {
  id: "learned.piece",
  kind: "learned",
  claim: "Only one of two captures of the same moment showed it",
  where: "anywhere",
} as const satisfies NoiseRow;

export const learnedBox = {
  id: "learned.picture",
  kind: "learned",
  claim: "Two captures of the same moment looked different there",
  where: "picture",
} as const satisfies NoiseRow;

export const memoryRows: readonly NoiseRow[] = [
  feedbackRow,
  answerRow,
  learnedSlot,
  learnedPiece,
  learnedBox,
];
