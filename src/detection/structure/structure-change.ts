import type { Change, Ignored, ReasonKind, Severity } from "../verdict.ts";

/** One difference in what a browser would run, follow, send or show elsewhere, or several of which the same is said. */
export type StructureChange = {
  kind: ReasonKind;
  severity: Severity;
  summary: string;
  where: string;
  before: string | null;
  after: string | null;
  all?: Change[];
  count?: number;
};

/** `alarmed` names what was news as the memory knows it. */
export type StructureComparison = { changes: StructureChange[]; ignored: Ignored[]; alarmed: string[] };

const MAX_CHANGES = 50;

/** Several changes as one that counts them all; one alone speaks for itself. */
export function grouped(changes: StructureChange[], summary: string): StructureChange {
  const [first] = changes as [StructureChange, ...StructureChange[]];
  if (changes.length === 1) return first;
  return {
    ...first,
    summary,
    all: changes.slice(0, MAX_CHANGES).map(({ where, before, after }) => ({ where, before, after })),
    count: changes.length,
  };
}
