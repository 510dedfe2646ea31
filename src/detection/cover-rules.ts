import { parseJson } from "./compare-json.ts";
import { extractPage } from "./extract-page.ts";
import { markRendered } from "./html/mark-rendered.ts";
import { type HtmlNode, parseHtml } from "./html/parse-html.ts";
import { Budget, type Interrupt, RuleFailure } from "./rule-budget.ts";
import { linesOfFile, valueAt } from "./rules/file-lines.ts";
import { TextCutter } from "./rules/text-cutter.ts";
import { Tree } from "./rules/tree.ts";
import { type Rule, type Rules, readIgnored, readSelectors, refuseRules } from "./rules.ts";
import type { Snapshot } from "./snapshot.ts";

/** How much of a capture a rule speaks of: so many elements, lines or values, and so many words in them. */
export type Coverage =
  | { what: "element" | "line" | "value"; count: number; words: number }
  | { problem: string };

const notTried = "Not tried: the rules before it take too long on this page.";

/**
 * What each line of `selector` and each entry of `ignore` covers of a capture; in words why one cannot be understood
 * or applied. What comes after one that exceeded the budget has a second one, so that more than the first is shown.
 */
export function coverRules(
  snapshot: Snapshot,
  { selector, ignore }: Rules,
  interrupt?: Interrupt,
): { selector: Coverage[]; ignore: Coverage[] } {
  const budgets = [new Budget(interrupt), new Budget(interrupt)];
  const counter = snapshot.kind === "html" ? pageCounter(snapshot) : fileCounter(snapshot);
  const count = (rule: Rule): Coverage => {
    const [budget] = budgets;
    if (!budget) return { problem: notTried };
    try {
      return counter(rule, budget);
    } catch (error) {
      if (!(error instanceof RuleFailure)) throw error;
      budgets.shift();
      return { problem: error.message };
    }
  };
  const lines = (selector ?? "").split("\n").filter((line) => line.trim() !== "");
  return {
    selector: lines.map((line) => {
      const refused = refuseRules({ selector: line });
      return refused ? { problem: refused.reason } : count(readSelectors(line)[0] as Rule);
    }),
    ignore: ignore.map((entry) => {
      const refused = refuseRules({ ignore: [entry] });
      return refused ? { problem: refused.reason } : count(readIgnored(entry));
    }),
  };
}

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu)?.length ?? 0;

type Counter = (rule: Rule, budget: Budget) => Coverage;

function pageCounter(snapshot: Snapshot): Counter {
  const nodes = parseHtml(snapshot.html);
  const isRendered = markRendered(nodes, snapshot.rendered);
  let tree = new Tree(nodes, new Budget());
  const treeFor = (budget: Budget) => {
    if (tree.budget !== budget) tree = new Tree(nodes, budget);
    return tree;
  };
  const page = extractPage(snapshot.html, snapshot.finalUrl || snapshot.url, nodes, isRendered);
  const shown = page.blocks.filter((block) => !block.unseen && block.hidden === "");
  // How many words stand before a node: what is in an element is a difference of two.
  const before = new Uint32Array(nodes.length + 1);
  for (const { pieces } of shown)
    for (const at of pieces) before[at + 1] = wordsIn((nodes[at] as HtmlNode).text);
  for (let at = 0; at < nodes.length; at++) before[at + 1]! += before[at]!;
  const wordsOf = (found: number[]) => {
    let words = 0;
    let end = 0;
    for (const at of found.toSorted((a, b) => a - b)) {
      if (at < end) continue;
      end = nodes[at]?.end ?? at;
      words += before[end]! - before[at]!;
    }
    return words;
  };
  return (rule, budget) => {
    if (rule.kind === "elements") {
      const found = rule.find(treeFor(budget));
      return { what: "element", count: found.length, words: wordsOf(found) };
    }
    if (rule.kind === "values") return { what: "value", count: 0, words: 0 };
    return countLines(
      rule,
      shown.map(({ text }) => text),
      budget,
    );
  };
}

function fileCounter(snapshot: Snapshot): Counter {
  const json = snapshot.kind === "json" ? parseJson(snapshot.html) : undefined;
  return (rule, budget) => {
    if (rule.kind === "elements") return { what: "element", count: 0, words: 0 };
    if (rule.kind === "values") {
      const found = json === undefined ? [] : rule.find(json, budget);
      const words = found.map((place) => wordsIn(JSON.stringify(valueAt(json, place)) ?? ""));
      return { what: "value", count: found.length, words: words.reduce((sum, one) => sum + one, 0) };
    }
    return countLines(rule, linesOfFile(snapshot, json), budget);
  };
}

function countLines(
  rule: Extract<Rule, { kind: "line" | "pattern" }>,
  lines: string[],
  budget: Budget,
): Coverage {
  const cutter = new TextCutter([rule]);
  cutter.payFrom(budget);
  let [count, words] = [0, 0];
  for (const line of lines) {
    const cuts = cutter.cuts(line);
    if (!cuts) continue;
    count++;
    for (const [from, to] of cuts) words += wordsIn(line.slice(from, to));
  }
  return { what: "line", count, words };
}
