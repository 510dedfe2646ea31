import type { OpinionBlock } from "#contract/second-opinion.ts";
import { isDecisive } from "#detection/severity/severity.ts";
import type { Reason, ReasonKind } from "#detection/verdict/verdict.ts";
import { cleanText, losesVisibleText } from "./clean-text.ts";

/** The reasons that are all text, so that a model that gets only text sees all of them. */
const textKinds = new Set<ReasonKind>(["text", "title", "label", "data", "content"]);
const limits = { blocks: 40, blockLength: 1_000, totalLength: 8_000 };

export type ChosenBlocks = {
  blocks: OpinionBlock[];
  /** Whether the blocks are everything that the change is alerted for. */
  isComplete: boolean;
};

/** The changed texts that are sent to the model, each once, those of the most severe reason first. */
export function chooseBlocks(reasons: Reason[]): ChosenBlocks {
  const alerted = reasons.filter((reason) => isDecisive(reason) && !reason.folded);
  const shown = alerted.filter(({ kind }) => textKinds.has(kind));
  let isComplete = shown.length === alerted.length && shown.length > 0;
  const blocks: OpinionBlock[] = [];
  const seen = new Set<string>();
  let left = limits.totalLength;
  const add = (sign: OpinionBlock["sign"], given: string) => {
    const text = cleanText(given);
    const key = `${sign} ${text}`;
    if (text === "" || seen.has(key)) return;
    seen.add(key);
    const room = Math.min(limits.blockLength, left);
    if (blocks.length === limits.blocks || room <= 0) isComplete = false;
    else {
      if (text.length > room) isComplete = false;
      const fitting = text.slice(0, room).toWellFormed();
      blocks.push({ id: `b${blocks.length + 1}`, sign, text: fitting });
      left -= fitting.length;
    }
  };
  for (const { changes, count } of shown) {
    if (changes.length < count) isComplete = false;
    for (const { before, after, moved } of changes) {
      const texts = [before, after].filter((text) => text !== null);
      if (!isSentWhole(texts, moved)) isComplete = false;
      if (moved) add("moved", after ?? before ?? "");
      else {
        if (before !== null) add("removed", before);
        if (after !== null) add("added", after);
      }
    }
  }
  return { blocks, isComplete };
}

/** Whether the model sees the difference. What can't be sent as text, such as a change of spaces, is left to the user. */
function isSentWhole(texts: string[], isMoved = false): boolean {
  const cleaned = texts.map(cleanText);
  const [first = "", second] = cleaned;
  const isSeen = cleaned.some((text) => text !== "") && (isMoved || first !== second);
  return isSeen && !texts.some(losesVisibleText);
}
