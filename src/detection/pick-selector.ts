import type { HtmlNode } from "./html/parse-html.ts";
import { RuleFailure } from "./rule-budget.ts";
import { readCss } from "./rules/css.ts";
import type { Tree } from "./rules/tree.ts";

/** `holds`: nothing in it counts places, so siblings may come and go. */
export type Picked = { selector: string; holds: boolean };

// Looking at a whole page for each of them; more would not be shorter.
const MAX_TRIES = 300;
const MAX_STEPS = 12;

/** A short CSS selector that chooses one element of a page and no other. */
export function pickSelector(tree: Tree, index: number): Picked {
  const { nodes } = tree;
  let tries = 0;
  const isOnly = (selector: string) => {
    if (++tries > MAX_TRIES) return false;
    const found = findWithin(tree, selector);
    return found.length === 1 && found[0] === index;
  };
  const selector = [...candidates(nodes, index)].find(isOnly);
  return selector === undefined
    ? { selector: byPlace(tree, index), holds: false }
    : { selector, holds: true };
}

/** What a selector matches; nothing once the budget is spent, so that a large page has its element by place. */
function findWithin(tree: Tree, selector: string): number[] {
  try {
    return readCss(selector)(tree);
  } catch (error) {
    if (error instanceof RuleFailure) return [];
    throw error;
  }
}

/** Best first: a name of its own, a name within something named, what it holds, its tag within something named. */
function* candidates(nodes: HtmlNode[], index: number): Generator<string> {
  const node = nodes[index] as HtmlNode;
  const own = namesOf(node);
  const above = ancestors(nodes, index);
  yield* own;
  for (const at of above) {
    for (const outer of namesOf(nodes[at] as HtmlNode)) for (const name of own) yield `${outer} ${name}`;
  }
  const mark = own[0] ?? node.tag;
  for (const inner of marksIn(nodes, index)) yield `${mark}:has(${inner})`;
  for (const at of above) {
    const outer = nodes[at] as HtmlNode;
    const kind = namesOf(outer)[0] ?? outer.tag;
    if (kind === "body" || kind === "html") break;
    for (const inner of marksIn(nodes, at)) {
      for (const name of [...own, node.tag]) yield `${kind}:has(${inner}) ${name}`;
    }
  }
  for (const at of above) {
    for (const outer of namesOf(nodes[at] as HtmlNode)) {
      yield `${outer} ${node.tag}`;
      yield `${outer} > ${node.tag}`;
    }
  }
}

function ancestors(nodes: HtmlNode[], index: number): number[] {
  const found: number[] = [];
  for (let at = nodes[index]?.parent ?? -1; at >= 0 && found.length < MAX_STEPS; at = nodes[at]?.parent ?? -1)
    found.push(at);
  return found;
}

const landmarks = new Set(
  "html body main header footer nav aside article form table h1 search dialog".split(" "),
);
const handles = ["data-testid", "data-test", "data-qa", "data-cy", "data-id", "itemprop", "name"];

/** What an element is called by its makers, steadiest first. */
function namesOf({ tag, attributes }: HtmlNode): string[] {
  const names: string[] = [];
  const { id = "", class: classes = "" } = attributes;
  if (isName(id)) names.push(`#${id}`);
  for (const handle of handles) {
    const value = Object.hasOwn(attributes, handle) ? (attributes[handle] ?? "") : "";
    if (value !== "" && isSteady(value) && isQuotable(value)) names.push(`[${handle}="${value}"]`);
  }
  const steady = classes.split(/\s+/).filter((name) => isName(name) && !passing.test(name));
  names.push(...steady.map((name) => `.${name}`));
  if (landmarks.has(tag)) names.push(tag);
  names.push(...steady.map((name) => `${tag}.${name}`));
  if (steady.length > 1) names.push(`.${steady.slice(0, 3).join(".")}`);
  return names;
}

const passing =
  /^(?:is|has)-|^(?:active|open|show|shown|hidden|selected|current|hover|focus|visited|visible|loaded|lazyloaded|first|last|odd|even|on|off)$/i;

function isName(text: string): boolean {
  return /^[\p{L}_][\p{L}\d_-]*$/u.test(text) && isSteady(text);
}

/** What a build or a visit gave a name to gets another one next time. */
function isSteady(text: string): boolean {
  if (text.length > 40 || /\d{3}/.test(text)) return false;
  if (/^(?:css|sc|jsx|emotion|ember|svelte|ng|radix|react|headlessui)-/i.test(text)) return false;
  return !text
    .split(/[-_]+/)
    .some((part) => /\d[a-z]+\d|^\d[a-z]|[a-z]\d[a-z]{2}/i.test(part) && part.length > 4);
}

const isQuotable = (text: string) => !/["\\\n]/.test(text);

/** What in an element tells it from its siblings: where its link leads, what its heading says. */
function marksIn(nodes: HtmlNode[], index: number): string[] {
  const marks: string[] = [];
  const end = Math.min(nodes[index]?.end ?? 0, index + 200);
  for (let at = index + 1; at < end && marks.length < 6; at++) {
    const { kind, tag, attributes } = nodes[at] as HtmlNode;
    if (kind !== "element") continue;
    const { id = "", href = "" } = attributes;
    if (isName(id)) marks.push(`#${id}`);
    if (tag === "a" && /^[^?#]{2,80}$/.test(href) && isQuotable(href)) marks.push(`a[href="${href}"]`);
    if (/^(?:h[1-6]|th|dt|legend|label|caption)$/.test(tag)) {
      const text = nodes[at + 1]?.kind === "text" ? (nodes[at + 1]?.text.trim() ?? "") : "";
      if (/^[\p{L}][^"\\\d\n]{1,39}$/u.test(text)) marks.push(`${tag}:contains("${text}")`);
    }
  }
  return marks;
}

/** From the nearest element with a name of its own, step by step by the place among siblings. */
function byPlace(tree: Tree, index: number): string {
  const { nodes } = tree;
  const steps: string[] = [];
  for (let at = index; at >= 0; at = nodes[at]?.parent ?? -1) {
    const node = nodes[at] as HtmlNode;
    if (at !== index) {
      const name = namesOf(node).find((one) => findWithin(tree, one).length === 1);
      if (name) return [name, ...steps].join(" > ");
    }
    const alike = nodes.flatMap((other, place) =>
      other.kind === "element" && other.parent === node.parent && other.tag === node.tag ? [place] : [],
    );
    steps.unshift(alike.length === 1 ? node.tag : `${node.tag}:nth-of-type(${alike.indexOf(at) + 1})`);
  }
  return steps.join(" > ");
}
