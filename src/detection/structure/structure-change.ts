import type { Ignored, ReasonKind, Severity } from "../verdict.ts";

/** One difference in what a browser would run, follow, send or show elsewhere. */
export type StructureChange = {
  kind: ReasonKind;
  severity: Severity;
  summary: string;
  where: string;
  /** Where it stands as the memory knows it, when `where` says only the landmark. */
  place?: string;
  /** What is said of several together: "links lead elsewhere" makes one reason of all that say so. */
  together?: string;
  /** Stands around the content and says only where one may go. */
  label?: true;
  before: string | null;
  after: string | null;
};

/** `alarmed` names what was news as the memory knows it. */
export type StructureComparison = { changes: StructureChange[]; ignored: Ignored[]; alarmed: string[] };
