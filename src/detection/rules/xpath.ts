import fontoxpath from "fontoxpath";
import { type DomNode, facadeOf } from "./dom.ts";
import { RuleError } from "./rule-error.ts";
import type { Tree } from "./tree.ts";

const { compileXPathToJavaScript, evaluateXPath, evaluateXPathToNodes } = fontoxpath;
const noNames = { namespaceResolver: () => null };

/** Reads an XPath expression; answers the nodes it selects, by their place in the list. */
export function readXPath(text: string): (tree: Tree) => number[] {
  if (text.trim() === "") throw new RuleError("The expression is missing", 0);
  try {
    compileXPathToJavaScript(text, evaluateXPath.NODES_TYPE, noNames);
    // Says which names are unknown, and runs nothing of it: that is left to those who have a deadline.
    evaluateXPath(`if (false()) then (${text}) else ()`, null, null, {}, evaluateXPath.NODES_TYPE, noNames);
  } catch (error) {
    const said = String((error as Error).message);
    const name = /(?:\}|variable |prefix )([\w-]+)/.exec(said)?.[1];
    const [, line = "", column = ""] = /at <>:(\d+):(\d+)/.exec(said) ?? [];
    if (line === "")
      throw new RuleError(`“${name}” is not known to XPath`, Math.max(0, text.indexOf(name ?? "")));
    const before = text.split("\n").slice(0, Number(line) - 1);
    throw new RuleError(
      "This is not an XPath expression",
      [...before, ""].join("\n").length + Number(column) - 1,
    );
  }
  return ({ nodes, dom, budget }) => {
    budget.chargeTo(`xpath:${text}`);
    // Our nodes are of the shape that the facade reads; the library's types ask for those of a browser.
    const facade = facadeOf(nodes, budget) as never;
    // Only what it asks of the page is counted: what it computes besides is measured.
    const found = budget.run(
      () => evaluateXPathToNodes(text, dom, facade, {}, noNames) as unknown as DomNode[],
    );
    return found.map(({ index }) => index).filter((index) => index >= 0);
  };
}
