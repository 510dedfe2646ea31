import { compile } from "css-select";
import type { HtmlNode } from "./html/parse-html.ts";
import { treeAdapter } from "./html/tree-adapter.ts";

/** What the user asks of a job's comparisons. */
export type Rules = {
  /** CSS selector that narrows what is compared; "" for the whole page. */
  selector: string;
  /** CSS selectors, and `text:` patterns in which * stands for anything, of what never alerts. */
  ignore: string[];
};

export const noRules: Rules = { selector: "", ignore: [] };

/** Whether a rule can be understood; the job's form asks before it is kept. */
export function isValidRule(rule: string): boolean {
  if (rule.startsWith("text:")) return rule.length > "text:".length;
  try {
    compile(rule);
    return true;
  } catch {
    return false;
  }
}

/** The nodes that the rules leave to compare. A selector that matches nothing leaves the page as it is. */
export function applySelectors(nodes: HtmlNode[], rules: Rules): HtmlNode[] {
  const ignore = rules.ignore.filter((rule) => !rule.startsWith("text:") && isValidRule(rule));
  const narrow = rules.selector !== "" && isValidRule(rules.selector);
  if (ignore.length === 0 && !narrow) return nodes;
  const adapter = treeAdapter(nodes);
  const matcher = (selectors: string[]) => compile<HtmlNode, HtmlNode>(selectors.join(","), { adapter });
  const wanted = narrow ? narrowed(nodes, matcher([rules.selector])) : null;
  const drop = ignore.length > 0 ? matcher(ignore) : () => false;
  const kept: HtmlNode[] = [];
  const moved = new Map<number, number>();
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    if (node.kind === "element" && drop(node)) index = node.end - 1;
    else if (!wanted || wanted[index]) {
      moved.set(index, kept.length);
      kept.push({ ...node, parent: moved.get(node.parent) ?? -1, end: kept.length + 1 });
    }
  }
  for (let index = kept.length - 1; index >= 0; index--) {
    const node = kept[index] as HtmlNode;
    const parent = kept[node.parent];
    if (parent) parent.end = Math.max(parent.end, node.end);
  }
  return kept;
}

/** Marks what a selector chose and the elements that lead to it, which say where it stands; null for nothing. */
function narrowed(nodes: HtmlNode[], take: (node: HtmlNode) => boolean): Uint8Array | null {
  const wanted = new Uint8Array(nodes.length);
  let until = 0;
  let found = false;
  nodes.forEach((node, index) => {
    if (index >= until && node.kind === "element" && take(node)) {
      until = node.end;
      found = true;
      for (let up = node.parent; up >= 0 && !wanted[up]; up = nodes[up]?.parent ?? -1) wanted[up] = 1;
    }
    if (index < until) wanted[index] = 1;
  });
  return found ? wanted : null;
}

/** Whether a text is one the user does not want to hear about. */
export function isIgnoredText(text: string, rules: Rules): boolean {
  return rules.ignore.some(
    (rule) => rule.startsWith("text:") && matches(text, rule.slice("text:".length).trim()),
  );
}

/** Pieces between stars must come in order; linear, unlike a pattern the user could write as an expression. */
function matches(text: string, pattern: string): boolean {
  const pieces = pattern.toLowerCase().split("*");
  const lower = text.toLowerCase();
  let at = 0;
  for (const piece of pieces) {
    const found = lower.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return pieces.some((piece) => piece !== "");
}
