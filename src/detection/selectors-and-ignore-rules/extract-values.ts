import type { Value } from "../file-formats/json/signatures.ts";
import { textOf } from "../html-parsing/parse-html.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import { cutJson } from "./cut-json.ts";
import { extractedJson, extractedLines } from "./extracted-capture.ts";
import type { ParsedRules, View } from "./filtered-capture.ts";
import type { Budget } from "./rule-budget.ts";
import type { Selector } from "./rules.ts";
import { TextCutter } from "./text-cutter.ts";
import type { Tree } from "./tree.ts";

/** What selectors search: the elements of a page or an XML document, and the JSON in it. */
type Source = { tree: Tree | null; documents: Value[] };

const isScalar = (value: unknown) => typeof value !== "object" || value === null;

/**
 * Returns what the selectors yield if some of it is not a part of the capture: attributes, computed values, JSON inside
 * a page. Null if they choose nothing; undefined if they choose elements only, so that the capture is cut to these.
 */
export function extractValues(
  snapshot: Snapshot,
  { selectors, ignored, lines }: Pick<ParsedRules, "selectors" | "ignored" | "lines">,
  source: Source,
  budget: Budget,
): View | null | undefined {
  const { tree } = source;
  const yieldsValues = (selector: Selector) =>
    selector.kind !== "elements" || Boolean(tree && selector.findValues?.(tree));
  if (!selectors.some(yieldsValues)) return undefined;
  if (selectors.every(({ kind }) => kind === "values"))
    return cutDocuments(snapshot, source, { selectors, ignored, lines }, budget);
  const idle = new TextCutter([]);
  const documents = source.documents.flatMap((document) => {
    const left = cutJson(document, { selectors: [], ignored, lines: idle }, budget);
    return left ? [left.value] : [];
  });
  const found = selectors.flatMap((selector): unknown[] => {
    if (selector.kind !== "elements") return documents.flatMap((one) => selector.compute(one, budget));
    if (!tree) return [];
    return selector.findValues?.(tree) ?? selector.find(tree).map((index) => textOf(tree.nodes, index));
  });
  // A path that leads nowhere is null in jq.
  if (found.every((value) => value === null)) return null;
  if (found.every(isScalar)) return extractedLines(snapshot, linesOf(found, lines));
  const left = cutJson(
    (found.length === 1 ? found[0] : found) as Value,
    { selectors: [], ignored: [], lines },
    budget,
  );
  return extractedJson(snapshot, left?.value ?? null);
}

/** What JSONPaths choose of the documents, with the keys that lead there; null if they choose nothing. */
function cutDocuments(
  snapshot: Snapshot,
  { documents }: Source,
  rules: Pick<ParsedRules, "selectors" | "ignored" | "lines">,
  budget: Budget,
): View | null {
  const left = documents.flatMap((document) => cutJson(document, rules, budget) ?? []);
  const [first] = left;
  if (!first) return null;
  return extractedJson(snapshot, left.length === 1 ? first.value : left.map(({ value }) => value));
}

function linesOf(found: unknown[], cutter: TextCutter): string[] {
  return found
    .flatMap((value) => String(value).split(/\r\n|[\n\r]/))
    .map((line) => cutter.cut(foldSpace(line)).trim())
    .filter((line) => line !== "");
}
