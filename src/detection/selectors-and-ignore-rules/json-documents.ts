import { parseJson } from "../file-formats/json/compare-json.ts";
import type { Value } from "../file-formats/json/signatures.ts";
import { type HtmlNode, rawText } from "../html-parsing/parse-html.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

const jsonType = /^(?:application|text)\/(?:[\w.-]+\+)?json\b|^importmap$|^speculationrules$/i;
/** A call around a document: `callback({…});`, with the comment that guards against old plug-ins. */
const jsonp =
  /^\s*(?:\/\*[^]{0,100}?\*\/\s*)?(?:typeof [\w.$]+ === '?function'? && )?[\w.$[\]"']{1,200}\s*\(([^]*)\)\s*;?\s*$/;
const maxDocuments = 200;

const argumentIn = (call: string) => (call.slice(0, 300).includes("(") ? (jsonp.exec(call)?.[1] ?? "") : "");

/** The JSON in a file: all of it, or the argument of its one call (JSONP). */
export function jsonOfFile({ html }: Pick<Snapshot, "html">): Value[] {
  const document = parseJson(html) ?? parseJson(argumentIn(html));
  return document === undefined ? [] : [document];
}

/** The JSON inside a page, in the page's order: JSON-LD, other data in scripts, and what is shown preformatted. */
export function jsonOfPage(nodes: HtmlNode[]): Value[] {
  const found: Value[] = [];
  for (let index = 0; index < nodes.length && found.length < maxDocuments; index++) {
    const { tag, attributes } = nodes[index] as HtmlNode;
    if (tag !== "pre" && !(tag === "script" && jsonType.test(attributes.type?.trim() ?? ""))) continue;
    const text = rawText(nodes, index).trim();
    const document = /^[[{]/.test(text) ? parseJson(text) : undefined;
    if (document !== undefined) found.push(document);
  }
  return found;
}
