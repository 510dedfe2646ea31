import { quoteStart } from "../change-summaries/quote.ts";
import type { StructureContext } from "../html-comparison/structure-change.ts";
import type { Page } from "../html-parsing/page.ts";
import { severityOf } from "../severity/severity.ts";
import { findAiInstruction } from "./ai-instruction.ts";

type Passage = { text: string; where: string; place?: string; isVisible: boolean };

/** Finds new words, visible or not, that tell a language model what to do. */
export function compareAiInstructions({ older, newer, found }: StructureContext): void {
  const known = new Set<string>();
  const fresh: (Passage & { instruction: string })[] = [];
  const seen = new Set<string>();
  for (const { text } of listPassages(older)) known.add(text);
  for (const passage of listPassages(newer)) {
    if (known.has(passage.text) || seen.has(passage.text)) continue;
    seen.add(passage.text);
    const instruction = findAiInstruction(passage.text);
    if (instruction !== null) fresh.push({ ...passage, instruction });
  }
  if (fresh.length === 0) return;
  // An instruction that only moved, or whose surroundings changed, is known.
  const old = new Set(Array.from(known, (text) => findAiInstruction(text)));
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

// Values that no model takes for words.
const technical =
  /^(?:class|style|id|href|src|srcset|sizes|d|points|transform|viewbox|on.*|integrity|nonce)$/;
// Shorter texts can't tell anybody to do anything.
const MIN_LENGTH = 12;

/** The texts of a page, wherever a program would read them: shown, hidden, in comments, attributes and metadata. */
function* listPassages(page: Page): Generator<Passage> {
  for (const { text, area, place, hidden, unseen } of page.blocks)
    yield { text, where: area, place, isVisible: hidden === "" && !unseen };
  yield { text: page.title, where: "title", isVisible: true };
  for (const { kind, tag, text, attributes } of page.nodes) {
    if (kind === "comment" && text.length >= MIN_LENGTH) yield { text, where: "comment", isVisible: false };
    if (kind !== "element") continue;
    for (const [name, value] of Object.entries(attributes)) {
      if (value.length < MIN_LENGTH || !value.includes(" ") || technical.test(name)) continue;
      yield { text: value, where: `<${tag} ${name}>`, isVisible: false };
    }
  }
  for (const { type, code } of page.scripts)
    if (/\bld\+json\b/i.test(type)) yield { text: code, where: "structured data", isVisible: false };
}
