import { compile } from "css-select";
import { isTraversal, parse, type Selector } from "css-what";
import type { HtmlNode } from "../html-parsing/parse-html.ts";
import { RuleError } from "./rule-error.ts";
import type { Tree } from "./tree.ts";

/** Parses a CSS selector; the returned function gives the indexes of the elements that match. */
export function readCss(text: string): (tree: Tree) => number[] {
  try {
    compile(text);
  } catch (error) {
    throw new RuleError("This is not a CSS selector", errorPosition(text, String((error as Error).message)));
  }
  const invalid = parse(text).flatMap(invalidNamesIn)[0];
  if (invalid !== undefined) {
    throw new RuleError("This is not a CSS selector", invalid === "" ? text.length : text.indexOf(invalid));
  }
  return ({ nodes, css, budget }) => {
    budget.chargeTo(text);
    const matches = compile<HtmlNode, HtmlNode>(text, { adapter: css });
    const found: number[] = [];
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index] as HtmlNode;
      if (node.kind === "element" && matches(node)) found.push(index);
    }
    return found;
  };
}

/** Position of an error: the parser quotes the text or name it doesn't know; else something is missing at the end. */
function errorPosition(text: string, message: string): number {
  const unread = /(?:found|selector:) ([^]*)$/.exec(message)?.[1];
  if (unread && text.endsWith(unread)) return text.length - unread.length;
  const name = /:[\w-]+/.exec(message)?.[0];
  const at = name === undefined ? -1 : text.indexOf(name);
  return at < 0 ? text.length : at;
}

/** Errors that the parser accepts but no browser does: names that begin with a digit, a missing last step. */
function invalidNamesIn(steps: Selector[]): string[] {
  const names = steps.flatMap((step) => {
    if (step.type === "tag") return [step.name];
    return step.type === "attribute" && /^(id|class)$/.test(step.name) ? [step.value] : [];
  });
  const last = steps.at(-1);
  return [...names.filter((name) => /^[^\p{L}_\\-]/u.test(name)), ...(last && isTraversal(last) ? [""] : [])];
}

/** The element names in a text that is read as a selector; null if it is not one. */
export function tagsIn(text: string): string[] | null {
  try {
    compile(text);
    return parse(text).flatMap((steps) => steps.flatMap((step) => (step.type === "tag" ? [step.name] : [])));
  } catch {
    return null;
  }
}
