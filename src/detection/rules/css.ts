import { compile } from "css-select";
import { isTraversal, parse, type Selector } from "css-what";
import type { HtmlNode } from "../html/parse-html.ts";
import { RuleError } from "./rule-error.ts";
import type { Tree } from "./tree.ts";

/** Reads a CSS selector; answers the elements it matches, by their place in the list. */
export function readCss(text: string): (tree: Tree) => number[] {
  try {
    compile(text);
  } catch (error) {
    throw new RuleError("This is not a CSS selector", placeOf(text, String((error as Error).message)));
  }
  const wrong = parse(text).flatMap(wrongIn)[0];
  if (wrong !== undefined) {
    throw new RuleError("This is not a CSS selector", wrong === "" ? text.length : text.indexOf(wrong));
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

/** The parser quotes what it could not read, or the name it does not know; else it missed something at the end. */
function placeOf(text: string, said: string): number {
  const rest = /(?:found|selector:) ([^]*)$/.exec(said)?.[1];
  if (rest && text.endsWith(rest)) return text.length - rest.length;
  const name = /:[\w-]+/.exec(said)?.[0];
  const at = name === undefined ? -1 : text.indexOf(name);
  return at < 0 ? text.length : at;
}

/** What the parser lets pass and no browser does: names that begin with a digit, a last step that is missing. */
function wrongIn(steps: Selector[]): string[] {
  const names = steps.flatMap((step) => {
    if (step.type === "tag") return [step.name];
    return step.type === "attribute" && /^(id|class)$/.test(step.name) ? [step.value] : [];
  });
  const last = steps.at(-1);
  return [...names.filter((name) => /^[^\p{L}_\\-]/u.test(name)), ...(last && isTraversal(last) ? [""] : [])];
}

/** The names of elements that a text asks for if it is read as a selector; null where it cannot be. */
export function tagsIn(text: string): string[] | null {
  try {
    compile(text);
    return parse(text).flatMap((steps) => steps.flatMap((step) => (step.type === "tag" ? [step.name] : [])));
  } catch {
    return null;
  }
}
