import { quoteStart } from "../change-summaries/quote.ts";
import type { StructureContext } from "../html-comparison/structure-change.ts";
import { severityOf } from "../severity/severity.ts";
import { findAiInstruction, maxReadLength } from "./ai-instruction.ts";
import { listPassages, type Passage } from "./list-passages.ts";

/** Finds new words, visible or not, that tell a language model what to do. */
export function compareAiInstructions({ older, newer, found }: StructureContext): void {
  const [before, after] = [[...listPassages(older)], [...listPassages(newer)]];
  const [oldTexts, newTexts] = [before, after].map((all) => new Set(all.map(({ text }) => text)));
  const known = new Set<string>();
  for (const passage of before)
    if (!newTexts?.has(passage.text)) for (const part of partsOf(passage)) known.add(part);
  const fresh: (Passage & { instruction: string })[] = [];
  let left = MAX_CODE;
  for (const passage of after) {
    if (oldTexts?.has(passage.text)) continue;
    for (const part of partsOf(passage)) {
      if (known.has(part)) continue;
      known.add(part);
      if (passage.split && (left -= part.length) < 0) break;
      const instruction = findAiInstruction(part);
      if (instruction !== null) fresh.push({ ...passage, instruction });
    }
  }
  if (fresh.length === 0) return;
  // An instruction that only moved, or whose surroundings changed, is known.
  const old = new Set<string | null>();
  for (const passage of before) for (const part of partsOf(passage)) old.add(findAiInstruction(part));
  for (const { instruction, isVisible, where, place } of fresh) {
    if (old.has(instruction)) continue;
    found.changes.push({
      kind: "ai-instruction",
      severity: isVisible ? severityOf.aiInstruction : severityOf.hiddenAiInstruction,
      summary: `${isVisible ? "Instruction" : "Hidden instruction"} to AI appeared: ${quoteStart(instruction, 100)}`,
      where,
      ...(place && { place }),
      before: null,
      after: instruction,
    });
  }
}

// Code and data can be new at every check. Reading takes about a third of a microsecond per character.
const MAX_CODE = 300_000;
// An instruction at the border of two pieces is whole in one of them.
const OVERLAP = 500;

/** The texts of a passage, in pieces that are read whole. */
function* partsOf({ text, split }: Passage): Generator<string> {
  for (const part of split?.(text) ?? [text])
    for (let at = 0; at === 0 || at + OVERLAP < part.length; at += maxReadLength - OVERLAP)
      yield part.slice(at, at + maxReadLength);
}
