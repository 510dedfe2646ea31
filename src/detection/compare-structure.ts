import type { Page } from "./extract-page.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import { compareForms, compareFrames } from "./structure/compare-forms.ts";
import { compareHead } from "./structure/compare-head.ts";
import { compareLinks } from "./structure/compare-links.ts";
import { compareLoaded } from "./structure/compare-loaded.ts";
import { compareScripts } from "./structure/compare-scripts.ts";
import { KnownHosts } from "./structure/known-hosts.ts";
import type { StructureComparison } from "./structure/structure-change.ts";

export { changedContents } from "./structure/compare-loaded.ts";
export type { StructureChange } from "./structure/structure-change.ts";

/** Compares what stands behind the text: scripts, frames, forms, links, refresh, title and meta. */
export function compareStructure(older: Page, newer: Page, memory: NoiseMemory): StructureComparison {
  const known = new KnownHosts(older);
  const found: StructureComparison = { changes: [], ignored: [], alarmed: [] };
  compareScripts(older, newer, known, memory, found);
  compareFrames(older, newer, known, memory, found);
  compareForms(older, newer, known, found);
  compareLinks(older, newer, known, memory, found);
  compareHead(older, newer, found);
  compareLoaded(older, newer, known, memory, found);
  return found;
}
