import type { Sign, Spot } from "../page.ts";
import { foldSpace } from "./fold-space.ts";
import { type HtmlNode, rawText } from "./parse-html.ts";

const controls = new Set(["button", "input", "select", "textarea", "option"]);
const controlRoles = new Set(["button", "checkbox", "switch", "radio", "option", "menuitemcheckbox"]);
// Values that a visitor types or a machine needs say nothing of the page.
const unshown = new Set(["hidden", "password", "checkbox", "radio", "file", "image"]);
const MAX_LABEL = 30;

/** What an element says otherwise than by its words: to a screen reader, by a control's state, to machines. */
export function signsOf(nodes: HtmlNode[], index: number, at: () => Spot): Sign[] {
  const node = nodes[index] as HtmlNode;
  const { attributes } = node;
  const signs: Sign[] = [];
  const add = (what: Sign["what"], name: string, value: string) => signs.push({ ...at(), what, name, value });
  const spoken = attributes["aria-label"] ?? attributes.alt;
  if (spoken) add("label", "", foldSpace(spoken));
  const property = attributes.itemprop;
  const told = attributes.content ?? attributes.datetime ?? attributes.value ?? (property && attributes.href);
  if (told && property) add("data", property, foldSpace(told));
  if (!controls.has(node.tag) && !controlRoles.has(attributes.role ?? "")) return signs;
  const name = nameOf(nodes, index);
  add("state", name, stateOf(attributes));
  if (attributes.placeholder) add("label", "placeholder", foldSpace(attributes.placeholder));
  const value = node.tag === "textarea" ? rawText(nodes, index) : attributes.value;
  const isShown = node.tag === "textarea" || (node.tag === "input" && !unshown.has(attributes.type ?? ""));
  if (isShown && value) add("value", name, foldSpace(value));
  return signs;
}

function stateOf(attributes: Record<string, string>): string {
  const is = (name: string) => attributes[name] !== undefined || attributes[`aria-${name}`] === "true";
  const states = ["disabled", "checked", "selected"].filter(is);
  if (attributes["aria-pressed"] === "true") states.push("pressed");
  return states.join(", ");
}

function nameOf(nodes: HtmlNode[], index: number): string {
  const node = nodes[index] as HtmlNode;
  const { attributes } = node;
  const words = node.tag === "select" || node.tag === "textarea" ? "" : rawText(nodes, index, MAX_LABEL);
  const name =
    foldSpace(words) ||
    attributes["aria-label"] ||
    (attributes.type === "submit" && attributes.value) ||
    attributes.placeholder ||
    attributes.name ||
    attributes.id;
  return (name ?? "").slice(0, 80);
}
