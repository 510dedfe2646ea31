import fontoxpath from "fontoxpath";
import { RE2JS } from "re2js";
import { textOf } from "../html-parsing/parse-html.ts";
import { createDomFacade, type DomNode } from "./dom.ts";
import { RuleError } from "./rule-error.ts";
import type { Tree } from "./tree.ts";

const { compileXPathToJavaScript, evaluateXPath, registerCustomXPathFunction } = fontoxpath;
// A prefix stands for itself, in expressions as in documents, so that nobody has to declare namespaces. Elements in a
// default namespace, such as those of Atom, are found by their name alone.
const options = { namespaceResolver: (prefix: string) => prefix || null };

const matchFlags: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

// The library has `matches` without flags only.
registerCustomXPathFunction(
  { namespaceURI: "http://www.w3.org/2005/xpath-functions", localName: "matches" },
  ["xs:string?", "xs:string", "xs:string"],
  "xs:boolean",
  (_: unknown, text: string | null, pattern: string, flags: string) => {
    const isUnknown = [...flags].some((flag) => !(flag in matchFlags) && flag !== "q");
    if (isUnknown) throw new Error(`matches() has no flags “${flags}”: there are i, m, s and q`);
    const bits = [...flags].reduce((sum, flag) => sum | (matchFlags[flag] ?? 0), 0);
    const source = flags.includes("q") ? RE2JS.quote(pattern) : pattern;
    return RE2JS.compile(source, bits)
      .matcher(text ?? "")
      .find();
  },
);

/** What an expression yields on a page: the indexes of nodes, or the texts of values and attributes, in their order. */
export type XPathResult = { nodes: number[]; values: string[] | null };

const isNode = (item: unknown): item is DomNode =>
  typeof item === "object" && item !== null && "nodeType" in item && "index" in item;

/** Parses an XPath expression; the returned function evaluates it, once for each tree. */
export function readXPath(text: string): (tree: Tree) => XPathResult {
  if (text.trim() === "") throw new RuleError("The expression is missing", 0);
  try {
    compileXPathToJavaScript(text, evaluateXPath.ALL_RESULTS_TYPE, options);
    // Reports unknown names without running the expression, which is only done under a time limit.
    evaluateXPath(
      `if (false()) then (${text}) else ()`,
      null,
      null,
      {},
      evaluateXPath.ALL_RESULTS_TYPE,
      options,
    );
  } catch (error) {
    const message = String((error as Error).message);
    const name = /(?:\}|variable |prefix )([\w-]+)/.exec(message)?.[1];
    const [, line = "", column = ""] = /at <>:(\d+):(\d+)/.exec(message) ?? [];
    if (line === "")
      throw new RuleError(`“${name}” is not known to XPath`, Math.max(0, text.indexOf(name ?? "")));
    const linesBefore = text.split("\n").slice(0, Number(line) - 1);
    throw new RuleError(
      "This is not an XPath expression",
      [...linesBefore, ""].join("\n").length + Number(column) - 1,
    );
  }
  const known = new WeakMap<Tree, XPathResult>();
  return (tree) => {
    const result = known.get(tree) ?? evaluate(text, tree);
    known.set(tree, result);
    return result;
  };
}

function evaluate(text: string, { nodes, dom, budget }: Tree): XPathResult {
  budget.chargeTo(`xpath:${text}`);
  // Our nodes have the shape that the facade reads; the library's types require a browser's nodes.
  const facade = createDomFacade(nodes, budget) as never;
  // Only its requests for nodes are counted; the time of its other computations is measured.
  const found = budget.run(
    () => evaluateXPath(text, dom, facade, {}, evaluateXPath.ALL_RESULTS_TYPE, options) as unknown[],
  );
  const hasOwnValue = (item: unknown) => !isNode(item) || item.nodeType === attributeType;
  const values = found.some(hasOwnValue) ? found.flatMap((item) => resultOf(nodes, item)) : null;
  const indexes = found.flatMap((item) => (isNode(item) && item.index >= 0 ? [item.index] : []));
  return { nodes: indexes, values };
}

const attributeType = 2;

/** The text of one result: a value as XPath writes it, an attribute's value, all text in a node. */
function resultOf(nodes: Tree["nodes"], item: unknown): string[] {
  if (isNode(item)) {
    if (item.nodeType === attributeType || item.index < 0) return [item.data];
    const node = nodes[item.index];
    return [node?.kind === "comment" ? node.text : textOf(nodes, item.index)];
  }
  // The library gives null for what is not a number.
  if (item === null) return ["NaN"];
  if (item instanceof Date) return [item.toISOString()];
  return [typeof item === "object" ? JSON.stringify(item) : String(item as string | number | boolean)];
}
