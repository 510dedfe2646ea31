import { parseJson } from "../file-formats/json/compare-json.ts";
import { parseXml } from "../file-formats/parse-xml.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { cutJson } from "./cut-json.ts";
import { editSource } from "./edit-source.ts";
import { extractValues } from "./extract-values.ts";
import { maxLines } from "./extracted-capture.ts";
import { type ParsedRules, type View, wholeView } from "./filtered-capture.ts";
import { jsonOfFile } from "./json-documents.ts";
import { findElements, markKept, removals } from "./kept-nodes.ts";
import type { Budget } from "./rule-budget.ts";
import type { TextCutter } from "./text-cutter.ts";
import { Tree } from "./tree.ts";

/** Applies rules to a file that is not a page, by its values or its lines; null if the selectors choose nothing. */
export function applyRulesToFile(snapshot: Snapshot, rules: ParsedRules, budget: Budget): View | null {
  const { kind, html } = snapshot;
  if (kind === "xml") return applyRulesToXml(snapshot, rules, budget);
  const json = kind === "json" ? parseJson(html) : undefined;
  const isQuery = rules.selectors.some((selector) => selector.kind === "results");
  if (rules.selectors.length > 0 && (json === undefined || isQuery)) {
    const source = { tree: null, documents: jsonOfFile(snapshot) };
    return extractValues(snapshot, rules, source, budget) ?? null;
  }
  const remaining = json === undefined ? cutLines(snapshot, rules.lines) : cutJson(json, rules, budget);
  if (remaining === null) return null;
  const text = typeof remaining === "string" ? remaining : JSON.stringify(remaining.value, null, 2);
  const isSame = typeof remaining === "string" ? remaining === html : !remaining.isCut;
  return isSame ? wholeView(snapshot) : withText(snapshot, text, rules.lines);
}

/** Keeps the chosen elements of an XML document with those around them, which name their places. */
function applyRulesToXml(snapshot: Snapshot, rules: ParsedRules, budget: Budget): View | null {
  const { selectors, ignored, lines } = rules;
  const { html } = snapshot;
  const hasElements = [...selectors, ...ignored].some(({ kind }) => kind === "elements");
  const nodes = hasElements ? parseXml(html) : [];
  const tree = new Tree(nodes, budget);
  const values = extractValues(snapshot, rules, { tree, documents: [] }, budget);
  if (values !== undefined) return values;
  const found = findElements(tree, rules);
  if (!found) return null;
  const { chosen, dropped } = found;
  const edits = removals(nodes, markKept(nodes, chosen, dropped));
  const text = cutLines({ kind: "xml", html: editSource(html, edits) }, lines);
  if (text === html) return wholeView(snapshot);
  const view = withText(snapshot, text, lines);
  return chosen ? { ...view, snapshot: { ...view.snapshot, chosen } } : view;
}

function withText(snapshot: Snapshot, text: string, cutter: TextCutter): View {
  const { kind } = snapshot;
  const role = kind === "text" || kind === "pdf" ? "paragraph" : "code";
  const lines = text.split(/\r\n|[\n\r]/).filter((line) => line.trim() !== "");
  const filtered: Snapshot = {
    ...snapshot,
    html: text,
    body: new TextEncoder().encode(text),
    title: cutter.cut(snapshot.title),
    text: lines.slice(0, maxLines).map((line) => ({ role, area: "", text: line.trimEnd() })),
  };
  // The positions of a file's lines in its picture are not known.
  return { snapshot: filtered, comparedArea: null, isAbsent: false };
}

function cutLines({ kind, html }: Pick<Snapshot, "kind" | "html">, lines: TextCutter): string {
  if (lines.isIdle) return html;
  // In markup a line is the text between two tags.
  const pieces = kind === "xml" ? html.split(/(<[^<>]*>|\r?\n)/) : html.split(/(\r?\n)/);
  return pieces.map((piece, at) => (at % 2 === 0 ? lines.cut(piece) : piece)).join("");
}
