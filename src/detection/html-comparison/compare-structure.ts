import { compareChosenAddresses } from "../controls-and-metadata/compare-chosen-addresses.ts";
import { compareHead } from "../controls-and-metadata/compare-head.ts";
import { compareSigns } from "../controls-and-metadata/compare-signs.ts";
import { compareAiInstructions } from "../hacked-pages/compare-ai-instructions.ts";
import { compareContacts } from "../hacked-pages/compare-contacts.ts";
import { comparePasteScams } from "../hacked-pages/compare-paste-scams.ts";
import type { Page } from "../html-parsing/page.ts";
import { compareForms, compareFrames } from "../links-and-forms/compare-forms.ts";
import { compareLinks } from "../links-and-forms/compare-links.ts";
import { isWanted, type NoiseMemory } from "../noise-memory/noise-memory.ts";
import { compareLoaded } from "../scripts/compare-loaded.ts";
import { compareScripts } from "../scripts/compare-scripts.ts";
import { severityOf } from "../severity/severity.ts";
import { KnownHosts } from "../third-party-hosts/known-hosts.ts";
import type { Ignored, ReasonKind } from "../verdict/verdict.ts";
import { compareReadable } from "./compare-readable.ts";
import type { StructureChange, StructureComparison, StructureContext } from "./structure-change.ts";

const aspects = [
  compareScripts,
  compareFrames,
  compareForms,
  compareLinks,
  compareHead,
  compareSigns,
  compareChosenAddresses,
  comparePasteScams,
  compareAiInstructions,
  compareContacts,
  compareReadable,
  compareLoaded,
];

/** Compares what is behind the text: scripts, frames, forms, links, refresh, title and meta. */
export function compareStructure(older: Page, newer: Page, memory: NoiseMemory): StructureComparison {
  const found: StructureComparison = { changes: [], ignored: [], alarmed: [] };
  const known = new KnownHosts(older);
  const context: StructureContext = { older, newer, known, memory, judged: new Set(), found };
  for (const compareAspect of aspects) compareAspect(context);
  const { wanted, unwanted } = splitRequested(found.ignored, memory);
  return { ...found, changes: [...found.changes, ...wanted], ignored: unwanted };
}

const wantedKinds: [RegExp, ReasonKind][] = [
  [/^header /, "header"],
  [/^cookie /, "cookie"],
  [/^address$/, "redirect"],
  [/</, "content"],
  [/script$/, "script"],
];

/** Splits off the ignored differences that the user asked for: they are reported even if they look like noise. */
export function splitRequested(
  ignored: Ignored[],
  memory: NoiseMemory,
): { wanted: StructureChange[]; unwanted: Ignored[] } {
  const { wanted = [], unwanted = [] } = Object.groupBy(ignored, ({ place, why }) =>
    isWanted(memory, place, why) ? "wanted" : "unwanted",
  );
  const requested = wanted.map<StructureChange>(({ place, before, after }) => {
    const kind = wantedKinds.find(([pattern]) => pattern.test(place))?.[1];
    return {
      kind: kind ?? "frame",
      severity: severityOf.requestedNoise,
      summary: kind === undefined || kind === "script" ? `New ${place}` : `${place} changed`,
      where: place,
      before,
      after,
    };
  });
  return { wanted: requested, unwanted };
}

/** Collects the markup values that a comparison reports as news or lists as noise. */
export function collectReportedValues({ changes, ignored }: StructureComparison): Set<string> {
  const values = [...changes, ...ignored].flatMap(({ before, after }) => [before, after]);
  return new Set(values.filter((value) => value !== null).map((value) => value.replace(/\s+/g, " ").trim()));
}
