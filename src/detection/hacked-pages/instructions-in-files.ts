import { quoteStart } from "../change-summaries/quote.ts";
import { severityOf } from "../severity/severity.ts";
import type { Change, Reason } from "../verdict/verdict.ts";
import { findAiInstruction } from "./ai-instruction.ts";

/** Finds new texts of a file, a feed or JSON that tell a language model what to do; at most one reason. */
export function findInstructions(changes: Pick<Change, "where" | "before" | "after">[]): Reason[] {
  let left = MAX_READ;
  const found = changes.flatMap(({ where, before, after }) => {
    if (after === null || left < 0) return [];
    left -= after.length;
    const instruction = findAiInstruction(after);
    // What was there before isn't new, whatever changed around it.
    const isKnown = before !== null && findAiInstruction(before) === instruction;
    return instruction === null || isKnown ? [] : [{ where, before: null, after: instruction }];
  });
  const [first] = found;
  if (!first) return [];
  return [
    {
      kind: "ai-instruction",
      severity: severityOf.aiInstruction,
      summary: `Instruction to AI appeared: ${quoteStart(first.after, 100)}`,
      changes: found.slice(0, MAX_CHANGES),
      count: found.length,
    },
  ];
}

const MAX_CHANGES = 20;
// Reading takes about a microsecond per character.
const MAX_READ = 200_000;
