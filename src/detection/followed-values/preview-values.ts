import { indexedElements } from "../html-parsing/mark-rendered.ts";
import { type HtmlNode, parseHtml } from "../html-parsing/parse-html.ts";
import { applyRules, parseRules } from "../selectors-and-ignore-rules/apply-rules.ts";
import { notTried } from "../selectors-and-ignore-rules/cover-rules.ts";
import { type Budget, toProblem } from "../selectors-and-ignore-rules/rule-budget.ts";
import { type Rules, validateRules } from "../selectors-and-ignore-rules/rules.ts";
import { readBoxes } from "../snapshot/layout.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Box } from "../verdict/verdict.ts";
import { findVisiblePrice } from "./find-visible-price.ts";
import { type Follow, readValues, type Value, validateFollowedValues } from "./followed-values.ts";
import { readNumber } from "./read-number.ts";
import { readableText } from "./readable-text.ts";

/** What a followed value reads from a capture, and where that is on the picture; or why it can't be read. */
export type PreviewedValue =
  | { text: string | null; number: number | null; box: Box | null }
  | { problem: string };

/** Reads values from a capture before they are saved. As in a check, all of them share one budget. */
export function previewValues(
  snapshot: Snapshot,
  rules: Rules,
  follow: Follow[],
  newBudget: () => Budget,
): PreviewedValue[] {
  if (follow.length === 0) return [];
  try {
    const view = validateRules(rules)
      ? snapshot
      : applyRules(snapshot, parseRules(rules), newBudget()).snapshot;
    const budget = newBudget();
    const findBox = boxFinder(snapshot);
    return follow.map((one) => {
      const refusal = validateFollowedValues([one]);
      if (refusal) return { problem: refusal.reason };
      if (budget.isSpent) return { problem: notTried };
      try {
        const { text, number } = readValues([{ ...one, name: "it" }], snapshot, view, budget).it as Value;
        return { text, number, box: text === null ? null : findBox(one, { text, number }) };
      } catch (error) {
        return toProblem(error);
      }
    });
  } catch (error) {
    const problem = toProblem(error);
    return follow.map(() => problem);
  }
}

/** Finds values on the picture of a page, which is parsed once. */
function boxFinder({ kind, html, layout }: Snapshot): (follow: Follow, value: Value) => Box | null {
  if (kind !== "html" || !layout) return () => null;
  let parsed: { nodes: HtmlNode[]; elements: number[] } | undefined;
  return ({ by }, value) => {
    if (!parsed) {
      const nodes = parseHtml(html);
      parsed = { nodes, elements: indexedElements(nodes) };
    }
    const { nodes, elements } = parsed;
    if (elements.length !== layout.elements) return null;
    const at = (by === "price" ? findPrice(nodes, value) : undefined) ?? findText(nodes, value.text ?? "");
    const box = at === undefined ? null : readBoxes(layout.boxes)[elements.indexOf(at)];
    return box && box.width > 0 && box.height > 0 ? box : null;
  };
}

/** A price from metadata is shown where the page shows the same number. */
function findPrice(nodes: HtmlNode[], { number }: Value): number | undefined {
  const shown = findVisiblePrice(nodes);
  return shown && readNumber(shown.text) === number ? shown.at : undefined;
}

const maxNodes = 50;

/** The smallest element that contains the text. */
function findText(nodes: HtmlNode[], text: string): number | undefined {
  let found: number | undefined;
  for (const [at, { kind, end }] of nodes.entries()) {
    if (found !== undefined && at >= (nodes[found]?.end ?? 0)) break;
    if (kind === "element" && end - at <= maxNodes && readableText(nodes, at).includes(text)) found = at;
  }
  return found;
}
