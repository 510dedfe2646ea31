import { isWanted } from "./noise/is-wanted.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import type { Page } from "./page.ts";
import { compareContacts } from "./structure/compare-contacts.ts";
import { compareForms, compareFrames } from "./structure/compare-forms.ts";
import { compareHead } from "./structure/compare-head.ts";
import { compareLinks } from "./structure/compare-links.ts";
import { compareLoaded } from "./structure/compare-loaded.ts";
import { compareLures } from "./structure/compare-lures.ts";
import { compareReadable } from "./structure/compare-readable.ts";
import { compareScripts } from "./structure/compare-scripts.ts";
import { compareSigns } from "./structure/compare-signs.ts";
import { KnownHosts } from "./structure/known-hosts.ts";
import type { StructureChange, StructureComparison } from "./structure/structure-change.ts";
import type { Ignored, ReasonKind } from "./verdict.ts";

export { changedContents } from "./structure/compare-loaded.ts";
export { containersIn } from "./structure/compare-scripts.ts";
export { listRest, type Printed } from "./structure/list-rest.ts";
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
  compareSigns(older, newer, found);
  compareLures(older, newer, found);
  compareContacts(older, newer, found);
  compareReadable(older, newer, found);
  compareLoaded(older, newer, known, memory, found);
  const { wanted, unwanted } = splitWanted(found.ignored, memory);
  return { ...found, changes: [...found.changes, ...wanted], ignored: unwanted };
}

const wantedKinds: [RegExp, ReasonKind][] = [
  [/^header /, "header"],
  [/^cookie /, "cookie"],
  [/^address$/, "redirect"],
  [/</, "content"],
  [/script$/, "script"],
];

/** What looks like tracking or a build's own code is told of all the same where the user asked for it. */
export function splitWanted(
  ignored: Ignored[],
  memory: NoiseMemory,
): { wanted: StructureChange[]; unwanted: Ignored[] } {
  const { wanted = [], unwanted = [] } = Object.groupBy(ignored, ({ place, why }) =>
    isWanted(memory.kept, place, why) ? "wanted" : "unwanted",
  );
  const told = wanted.map<StructureChange>(({ place, before, after }) => {
    const kind = wantedKinds.find(([pattern]) => pattern.test(place))?.[1];
    return {
      kind: kind ?? "frame",
      severity: "notice",
      summary: kind === undefined || kind === "script" ? `New ${place}` : `${place} changed`,
      where: place,
      before,
      after,
    };
  });
  return { wanted: told, unwanted };
}

/** Values of the markup that a comparison speaks of, be it as news or as noise. */
export function spokenOf({ changes, ignored }: StructureComparison): Set<string> {
  const values = [...changes, ...ignored].flatMap(({ before, after }) => [before, after]);
  return new Set(values.filter((value) => value !== null).map((value) => value.replace(/\s+/g, " ").trim()));
}
