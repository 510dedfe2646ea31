import { parseJson } from "../file-formats/json/compare-json.ts";
import type { Value } from "../file-formats/json/signatures.ts";
import { extractPage } from "../html-parsing/extract-page.ts";
import { markRendered } from "../html-parsing/mark-rendered.ts";
import { type HtmlNode, parseHtml, rawText } from "../html-parsing/parse-html.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { linesOfFile, valueAt } from "./file-lines.ts";
import { jsonOfFile, jsonOfPage } from "./json-documents.ts";
import { parseXml } from "./parse-xml.ts";
import { Budget, RuleFailure } from "./rule-budget.ts";
import {
  describeRuleError,
  parseIgnoreRule,
  parseSelectors,
  type Rule,
  RuleError,
  type Rules,
  type Selector,
} from "./rules.ts";
import { TextCutter } from "./text-cutter.ts";
import { Tree } from "./tree.ts";

/** How much of a capture a rule matches: the number of elements, lines or values, and of the words in them. */
export type Coverage =
  | { what: "element" | "line" | "value"; count: number; words: number }
  | { problem: string };

export const notTried = "Not tested: the rules before it take too long on this page.";

/**
 * Measures what each line of `selector` and each entry of `ignore` covers of a capture, or says why a rule can't be
 * parsed or applied. Rules after one that exceeded the budget get a second budget, so that more results are shown.
 */
export function coverRules(
  snapshot: Snapshot,
  { selector, ignore }: Rules,
  newBudget = () => new Budget(),
): { selector: Coverage[]; ignore: Coverage[] } {
  const budgets = [newBudget(), newBudget()];
  const counter = snapshot.kind === "html" ? pageCounter(snapshot) : fileCounter(snapshot);
  const count = (text: string, read: () => Rule | Selector): Coverage => {
    const [budget] = budgets;
    if (!budget) return { problem: notTried };
    try {
      return counter(budget.read(text, read), budget);
    } catch (error) {
      if (error instanceof RuleError) return { problem: describeRuleError(text, error) };
      if (!(error instanceof RuleFailure)) throw error;
      if (budget.isSpent) budgets.shift();
      return { problem: error.message };
    }
  };
  const lines = (selector ?? "").split("\n").filter((line) => line.trim() !== "");
  return {
    selector: lines.map((line) => count(line, () => parseSelectors(line)[0] as Selector)),
    ignore: ignore.map((entry) => count(entry, () => parseIgnoreRule(entry))),
  };
}

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu)?.length ?? 0;

type Counter = (rule: Rule | Selector, budget: Budget) => Coverage;

/** Counts the values that a rule yields from JSON documents. */
function countValues(rule: JsonRule, documents: Value[], budget: Budget): Coverage {
  const found = documents.flatMap((document): unknown[] =>
    rule.kind === "results"
      ? rule.compute(document, budget)
      : rule.find(document, budget).map((location) => valueAt(document, location)),
  );
  return countTexts(found.map((value) => (typeof value === "string" ? value : JSON.stringify(value))));
}

type JsonRule = Extract<Selector, { kind: "values" | "results" }>;

const countTexts = (texts: string[]): Coverage => ({
  what: "value",
  count: texts.length,
  words: texts.reduce((sum, text) => sum + wordsIn(text ?? ""), 0),
});

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
  // The number of words before each node; the words in an element are the difference of two entries.
  const wordsBefore = new Uint32Array(nodes.length + 1);
  for (const { pieces } of shown)
    for (const at of pieces) wordsBefore[at + 1] = wordsIn((nodes[at] as HtmlNode).text);
  for (let at = 0; at < nodes.length; at++) wordsBefore[at + 1]! += wordsBefore[at]!;
  const wordsOf = (found: number[]) => {
    let words = 0;
    let end = 0;
    for (const at of found.toSorted((a, b) => a - b)) {
      if (at < end) continue;
      end = nodes[at]?.end ?? at;
      words += wordsBefore[end]! - wordsBefore[at]!;
    }
    return words;
  };
  return (rule, budget) => {
    if (rule.kind === "elements") {
      const values = rule.findValues?.(treeFor(budget));
      if (values) return countTexts(values);
      const found = rule.find(treeFor(budget));
      return { what: "element", count: found.length, words: wordsOf(found) };
    }
    if (rule.kind === "values" || rule.kind === "results")
      return countValues(rule, jsonOfPage(nodes), budget);
    return countLines(
      rule,
      shown.map(({ text }) => text),
      budget,
    );
  };
}

function fileCounter(snapshot: Snapshot): Counter {
  const json = snapshot.kind === "json" ? parseJson(snapshot.html) : jsonOfFile(snapshot);
  const nodes = snapshot.kind === "xml" ? parseXml(snapshot.html) : [];
  let tree = new Tree(nodes, new Budget());
  return (rule, budget) => {
    if (rule.kind === "elements") {
      if (tree.budget !== budget) tree = new Tree(nodes, budget);
      const values = rule.findValues?.(tree);
      if (values) return countTexts(values);
      const found = rule.find(tree);
      const textOf = (at: number) => (nodes[at]?.kind === "text" ? nodes[at].text : rawText(nodes, at));
      const words = found.reduce((sum, at) => sum + wordsIn(textOf(at)), 0);
      return { what: "element", count: found.length, words };
    }
    if (rule.kind === "values" || rule.kind === "results")
      return countValues(rule, json === undefined ? [] : [json], budget);
    return countLines(rule, linesOfFile(snapshot, snapshot.kind === "json" ? json : undefined), budget);
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
