import { parseXml } from "../file-formats/parse-xml.ts";
import { parseHtml } from "../html-parsing/parse-html.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type Edit, editSource } from "./edit-source.ts";
import { extractValues } from "./extract-values.ts";
import { extractedLines } from "./extracted-capture.ts";
import type { ParsedRules, View } from "./filtered-capture.ts";
import { jsonOfFile, jsonOfPage } from "./json-documents.ts";
import { findElements, markKept, removals } from "./kept-nodes.ts";
import type { Budget } from "./rule-budget.ts";
import { Tree } from "./tree.ts";

/**
 * Applies rules to a body as it was received, whatever a browser makes of it: its lines are those of the source, and
 * selectors choose the source of elements. Null if the selectors choose nothing.
 */
export function applyRulesToSource(snapshot: Snapshot, rules: ParsedRules, budget: Budget): View | null {
  const source = snapshot.kind === "html" ? decodeBody(snapshot) : snapshot.html;
  const nodes = snapshot.kind === "xml" ? parseXml(source) : parseHtml(source);
  const tree = new Tree(nodes, budget);
  const documents = jsonOfFile({ html: source });
  if (documents.length === 0) documents.push(...jsonOfPage(nodes));
  const values = extractValues(snapshot, rules, { tree, documents }, budget);
  if (values !== undefined) return values;
  const found = findElements(tree, rules);
  if (!found) return null;
  const edits = removals(nodes, markKept(nodes, null, found.dropped));
  const pieces = found.chosen?.map((index) => partOf(source, edits, nodes[index])) ?? [
    editSource(source, edits),
  ];
  const left = pieces
    .flatMap((piece) => piece.split(/\r\n|[\n\r]/))
    .map((line) => rules.lines.cut(line).trimEnd());
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
