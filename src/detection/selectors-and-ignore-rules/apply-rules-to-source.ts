import { parseHtml } from "../html-parsing/parse-html.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type Edit, editSource } from "./edit-source.ts";
import { extractValues } from "./extract-values.ts";
import { extractedLines } from "./extracted-capture.ts";
import type { ParsedRules, View } from "./filtered-capture.ts";
import { jsonOfFile, jsonOfPage } from "./json-documents.ts";
import { markKept, removals } from "./kept-nodes.ts";
import { parseXml } from "./parse-xml.ts";
import type { Budget } from "./rule-budget.ts";
import { Tree } from "./tree.ts";

/**
 * Applies rules to a body as it was received, whatever a browser makes of it: its lines are those of the source, and
 * selectors choose the source of elements. Null if the selectors choose nothing.
 */
export function applyRulesToSource(snapshot: Snapshot, rules: ParsedRules, budget: Budget): View | null {
  const { selectors, ignored, lines } = rules;
  const source = snapshot.kind === "html" ? decodeBody(snapshot) : snapshot.html;
  const nodes = snapshot.kind === "xml" ? parseXml(source) : parseHtml(source);
  const tree = new Tree(nodes, budget);
  const document = jsonOfFile({ html: source });
  const documents = document === undefined ? jsonOfPage(nodes) : [document];
  const values = extractValues(snapshot, rules, { tree, documents }, budget);
  if (values !== undefined) return values;
  const find = (list: ParsedRules["selectors"]) =>
    list.flatMap((rule) => (rule.kind === "elements" ? rule.find(tree) : []));
  const dropped = removals(nodes, markKept(nodes, null, find(ignored)));
  const chosen = selectors.length > 0 ? find(selectors) : null;
  if (chosen?.length === 0) return null;
  const pieces = chosen?.map((index) => partOf(source, dropped, nodes[index])) ?? [
    editSource(source, dropped),
  ];
  const left = pieces.flatMap((piece) => piece.split(/\r\n|[\n\r]/)).map((line) => lines.cut(line).trimEnd());
  return extractedLines(
    snapshot,
    left.filter((line) => line !== ""),
  );
}

function partOf(source: string, dropped: Edit[], node: { start: number; stop: number } | undefined): string {
  const { start = 0, stop = 0 } = node ?? {};
  const inside = dropped.filter((edit) => edit.start >= start && edit.stop <= stop);
  const shifted = inside.map((edit) => ({ ...edit, start: edit.start - start, stop: edit.stop - start }));
  return editSource(source.slice(start, stop), shifted);
}

/** The body as text, by the character set that its header or its own first bytes name. */
function decodeBody({ body, contentType }: Snapshot): string {
  const head = String.fromCharCode(...body.subarray(0, 1024));
  const named = /charset\s*=\s*["']?([\w-]+)/i;
  const label = named.exec(contentType)?.[1] ?? named.exec(head)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
