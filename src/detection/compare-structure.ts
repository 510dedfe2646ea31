import type { Page } from "./extract-page.ts";
import { isWanted } from "./noise/is-wanted.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import { compareForms, compareFrames } from "./structure/compare-forms.ts";
import { compareHead } from "./structure/compare-head.ts";
import { compareLinks } from "./structure/compare-links.ts";
import { compareLoaded } from "./structure/compare-loaded.ts";
import { compareScripts } from "./structure/compare-scripts.ts";
import { KnownHosts } from "./structure/known-hosts.ts";
import type { StructureChange, StructureComparison } from "./structure/structure-change.ts";

export { changedContents } from "./structure/compare-loaded.ts";
export { containersIn } from "./structure/compare-scripts.ts";
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
  return withWanted(found, memory);
}

/** What looks like tracking or a build's own code is told of all the same where the user asked for it. */
function withWanted(
  { changes, ignored, alarmed }: StructureComparison,
  memory: NoiseMemory,
): StructureComparison {
  const wanted = ignored.filter(({ place, why }) => isWanted(memory.kept, place, why));
  const told = wanted.map<StructureChange>(({ place, before, after }) => ({
    kind: place.endsWith("script") ? "script" : "frame",
    severity: "notice",
    summary: `New ${place}`,
    where: place,
    before,
    after,
  }));
  return { changes: [...changes, ...told], ignored: ignored.filter((one) => !wanted.includes(one)), alarmed };
}
