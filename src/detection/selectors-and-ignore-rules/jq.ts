import type { Budget } from "./rule-budget.ts";
import { RuleError } from "./rule-error.ts";

/**
 * Reads a jq program; the returned function gives its results on a document. The program itself is parsed by jq, where
 * it is run: a mistake in it is told there. Only what can't be a program at all is refused here.
 */
export function readJq(text: string): (document: unknown, budget: Budget) => unknown[] {
  const program = text.trim();
  if (program === "") throw new RuleError("The expression is missing", 0);
  assertBalanced(text);
  return (document, budget) => {
    budget.chargeTo(`jq:${text}`);
    const results = budget.runJq(program, JSON.stringify(document));
    return results.map((result) => JSON.parse(result) as unknown);
  };
}

const pairs: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Refuses brackets and quotes that nothing closes. A text with values in it, "\(.a)", may contain any of them. */
function assertBalanced(text: string): void {
  const open: string[] = [];
  for (const { 0: sign, index } of text.matchAll(
    /#[^\n]*|"(?:[^"\\]|\\[^(]|\\\((?:[^()"]|"[^"]*"|\([^()]*\))*\))*"|[[\](){}"]/g,
  )) {
    if (sign === '"')
      throw new RuleError("This is not a jq expression: a quotation mark is not closed", index);
    if ("([{".includes(sign)) open.push(sign);
    else if (sign in pairs && open.pop() !== pairs[sign])
      throw new RuleError(`This is not a jq expression: nothing opens “${sign}”`, index);
  }
  if (open.length > 0)
    throw new RuleError(`This is not a jq expression: “${open.at(-1)}” is not closed`, text.length);
}
