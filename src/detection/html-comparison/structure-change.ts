import type { Page } from "../html-parsing/page.ts";
import type { NoiseMemory } from "../noise-memory/noise-memory.ts";
import type { Severity } from "../severity/severity.ts";
import type { KnownHosts } from "../third-party-hosts/known-hosts.ts";
import type { Ignored, ReasonKind } from "../verdict/verdict.ts";

/** One difference in what a browser would run, follow or send, or show outside the text. */
export type StructureChange = {
  kind: ReasonKind;
  severity: Severity;
  summary: string;
  where: string;
  /** Its location as the noise memory knows it, if `where` is only the landmark. */
  place?: string;
  /** Wording for several changes: all with the same one, such as "links lead elsewhere", become one reason. */
  together?: string;
  /** Set for what no reader sees: it goes to the digest, unless the user asked for alerts about it. */
  quiet?: true;
  /** Set for a link outside the content, which is only a navigation label. */
  label?: true;
  before: string | null;
  after: string | null;
};

/** `alarmed` lists the items that were reported as new, by their names in the noise memory. */
export type StructureComparison = { changes: StructureChange[]; ignored: Ignored[]; alarmed: string[] };

/** The two pages, what is known about them, and what has been found so far. */
export type StructureContext = {
  older: Page;
  newer: Page;
  known: KnownHosts;
  memory: NoiseMemory;
  /** The items that have been reported or listed so far, by their names in the noise memory. */
  judged: Set<string>;
  found: StructureComparison;
};
