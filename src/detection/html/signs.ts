import type { Sign, Spot } from "../page.ts";
import { foldSpace } from "./fold-space.ts";
import { type HtmlNode, rawText } from "./parse-html.ts";

const controls = new Set(["button", "input", "select", "textarea", "option"]);
const controlRoles = new Set(["button", "checkbox", "switch", "radio", "option", "menuitemcheckbox"]);
// Values that a visitor types or a machine needs say nothing of the page.
const unshown = new Set(["hidden", "password", "checkbox", "radio", "file", "image"]);
const gauges = new Set(["progress", "meter"]);
const MAX_LABEL = 30;
const MAX_NAME = 80;

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
  if (node.tag === "title" && isDrawn(nodes, index)) add("label", "", foldSpace(rawText(nodes, index)));
  if (gauges.has(node.tag))
    add("value", spokenName(attributes) || node.tag, foldSpace(attributes.value ?? ""));
  if (node.tag === "a" && !controlRoles.has(attributes.role ?? "")) {
    // Of a link that looks like a button only this is a state; which of several is chosen is the visitor's.
    const words = foldSpace(rawText(nodes, index, MAX_LABEL)).slice(0, MAX_NAME);
    if (words !== "") add("state", words, attributes["aria-disabled"] === "true" ? "disabled" : "");
    return signs;
  }
  if (!controls.has(node.tag) && !controlRoles.has(attributes.role ?? "")) return signs;
  const name = nameOf(nodes, index);
  // Of a list of addresses to choose from, the one that is chosen is where the reader is.
  const isWay = node.tag === "option" && /^(?:https?:\/)?\/\S/i.test(attributes.value ?? "");
  add("state", name, stateOf(isWay ? without(attributes, "selected") : attributes));
  if (attributes.placeholder) add("label", "placeholder", foldSpace(attributes.placeholder));
  const value = node.tag === "textarea" ? rawText(nodes, index) : attributes.value;
  const isShown = node.tag === "textarea" || (node.tag === "input" && !unshown.has(attributes.type ?? ""));
  // The words on a button are its value: they cannot name it.
  const owner = isButton(attributes) ? spokenName(attributes) || "button" : name;
  if (isShown && value) add("value", owner, foldSpace(value));
  return signs;
}

/** Whether a title names a drawing that is shown, not one kept for use elsewhere. */
function isDrawn(nodes: HtmlNode[], index: number): boolean {
  for (let at = nodes[index]?.parent ?? -1, steps = 0; at >= 0 && steps < 20; steps++) {
    const { tag = "", parent = -1 } = nodes[at] ?? {};
    if (tag === "svg") return true;
    if (tag === "symbol" || tag === "defs") return false;
    at = parent;
  }
  return false;
}

function isButton({ type }: Record<string, string>): boolean {
  return /^(?:submit|button|reset)$/i.test(type ?? "");
}

function spokenName(attributes: Record<string, string>): string {
  return (attributes["aria-label"] || attributes.name || attributes.id || "").slice(0, MAX_NAME);
}

function without({ ...attributes }: Record<string, string>, name: string): Record<string, string> {
  delete attributes[name];
  return attributes;
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
  return (name ?? "").slice(0, MAX_NAME);
}
