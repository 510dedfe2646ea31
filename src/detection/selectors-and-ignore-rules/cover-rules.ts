import type { Value } from "../file-formats/json/signatures.ts";
import { parseXml } from "../file-formats/parse-xml.ts";
import { extractPage } from "../html-parsing/extract-page.ts";
import { markRendered } from "../html-parsing/mark-rendered.ts";
import { type HtmlNode, parseHtml, textOf } from "../html-parsing/parse-html.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { linesOfFile } from "./file-lines.ts";
import { jsonOfFile, jsonOfPage } from "./json-documents.ts";
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
  const counter = createCounter(snapshot);
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

/** What rules match in a capture, which is read once for all of them. */
type Content = {
  nodes: HtmlNode[];
  documents: Value[];
  lines: string[];
  countWords: (found: number[]) => number;
};

function createCounter(snapshot: Snapshot): Counter {
  const { nodes, documents, lines, countWords } =
    snapshot.kind === "html" ? readPage(snapshot) : readFile(snapshot);
  let tree = new Tree(nodes, new Budget());
  return (rule, budget) => {
    if (rule.kind === "line" || rule.kind === "pattern") return countLines(rule, lines, budget);
    if (rule.kind !== "elements")
      return countTexts(documents.flatMap((document) => rule.compute(document, budget)));
    if (tree.budget !== budget) tree = new Tree(nodes, budget);
    const values = rule.findValues?.(tree);
    if (values) return countTexts(values);
    const found = rule.find(tree);
    return { what: "element", count: found.length, words: countWords(found) };
  };
}

const countTexts = (values: unknown[]): Coverage => ({
  what: "value",
  count: values.length,
  words: values.reduce(
    (sum: number, value) => sum + wordsIn(typeof value === "string" ? value : (JSON.stringify(value) ?? "")),
    0,
  ),
});

function readPage(snapshot: Snapshot): Content {
  const nodes = parseHtml(snapshot.html);
  const isRendered = markRendered(nodes, snapshot.rendered);
  const page = extractPage(snapshot.html, snapshot.finalUrl || snapshot.url, nodes, isRendered);
  const shown = page.blocks.filter((block) => !block.unseen && block.hidden === "");
  // The number of words before each node; the words in an element are the difference of two entries.
  const wordsBefore = new Uint32Array(nodes.length + 1);
  for (const { pieces } of shown)
    for (const at of pieces) wordsBefore[at + 1] = wordsIn((nodes[at] as HtmlNode).text);
  for (let at = 0; at < nodes.length; at++) wordsBefore[at + 1]! += wordsBefore[at]!;
  const countWords = (found: number[]) => {
    let words = 0;
    let end = 0;
    for (const at of found.toSorted((a, b) => a - b)) {
      if (at < end) continue;
      end = nodes[at]?.end ?? at;
      words += wordsBefore[end]! - wordsBefore[at]!;
    }
    return words;
  };
  return { nodes, documents: jsonOfPage(nodes), lines: shown.map(({ text }) => text), countWords };
}

function readFile(snapshot: Snapshot): Content {
  const nodes = snapshot.kind === "xml" ? parseXml(snapshot.html) : [];
  const documents = jsonOfFile(snapshot);
  return {
    nodes,
    documents,
    lines: linesOfFile(snapshot, snapshot.kind === "json" ? documents[0] : undefined),
    countWords: (found) => found.reduce((sum, at) => sum + wordsIn(textOf(nodes, at)), 0),
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
