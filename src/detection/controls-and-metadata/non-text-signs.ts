import { ancestorsOf } from "../html-parsing/ancestors-of.ts";
import type { Sign, Spot } from "../html-parsing/page.ts";
import { type HtmlNode, rawText } from "../html-parsing/parse-html.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";

const controls = new Set(["button", "input", "select", "textarea", "option"]);
const controlRoles = new Set(["button", "checkbox", "switch", "radio", "option", "menuitemcheckbox"]);
// Inputs whose value is typed by a visitor or meant for machines: it says nothing about the page.
const hiddenValueTypes = new Set(["hidden", "password", "checkbox", "radio", "file", "image"]);
const gauges = new Set(["progress", "meter"]);
const MAX_LABEL = 30;
const MAX_NAME = 80;

/** What an element conveys other than by its text: labels for screen readers, a control's state, data for machines. */
export function signsOf(nodes: HtmlNode[], index: number, toSpot: () => Spot): Sign[] {
  const node = nodes[index] as HtmlNode;
  const { attributes } = node;
  const signs: Sign[] = [];
  const add = (what: Sign["what"], name: string, value: string) =>
    signs.push({ ...toSpot(), what, name, value });
  const label = attributes["aria-label"] ?? attributes.alt;
  if (label) add("label", "", foldSpace(label));
  const property = attributes.itemprop;
  const data = attributes.content ?? attributes.datetime ?? attributes.value ?? (property && attributes.href);
  if (data && property) add("data", property, foldSpace(data));
  if (node.tag === "title" && isDrawn(nodes, index)) add("label", "", foldSpace(rawText(nodes, index)));
  if (gauges.has(node.tag))
    add("value", spokenName(attributes) || node.tag, foldSpace(attributes.value ?? ""));
  if (node.tag === "a" && !controlRoles.has(attributes.role ?? "")) {
    // Links styled as buttons have only this state; which of several is selected depends on the visitor.
    const words = foldSpace(rawText(nodes, index, MAX_LABEL)).slice(0, MAX_NAME);
    if (words !== "") add("state", words, attributes["aria-disabled"] === "true" ? "disabled" : "");
    return signs;
  }
  if (!controls.has(node.tag) && !controlRoles.has(attributes.role ?? "")) return signs;
  const name = nameOf(nodes, index);
  // In a select box of addresses, the selected option is only the page that the reader is on.
  const isNavigation = node.tag === "option" && /^(?:https?:\/)?\/\S/i.test(attributes.value ?? "");
  const states = statesOf(attributes).filter((state) => !(isNavigation && state === "selected"));
  add("state", name, states.join(", "));
  if (attributes.placeholder) add("label", "placeholder", foldSpace(attributes.placeholder));
  const value = node.tag === "textarea" ? rawText(nodes, index) : attributes.value;
  const isShown =
    node.tag === "textarea" || (node.tag === "input" && !hiddenValueTypes.has(attributes.type ?? ""));
  // A button's text is its value, so it can't also be its name.
  const owner = isButton(attributes) ? spokenName(attributes) || "button" : name;
  if (isShown) add("value", owner, foldSpace(value ?? ""));
  return signs;
}

/** Whether a title names a drawing that is shown, not one that is only defined for reuse elsewhere. */
function isDrawn(nodes: HtmlNode[], index: number): boolean {
  const tags = ancestorsOf(nodes, index, 20).map((at) => nodes[at]?.tag ?? "");
  return tags.find((tag) => tag === "svg" || tag === "symbol" || tag === "defs") === "svg";
}

function isButton({ type }: Record<string, string>): boolean {
  return /^(?:submit|button|reset)$/i.test(type ?? "");
}

function spokenName(attributes: Record<string, string>): string {
  return (attributes["aria-label"] || attributes.name || attributes.id || "").slice(0, MAX_NAME);
}

function statesOf(attributes: Record<string, string>): string[] {
  const isSet = (name: string) => attributes[name] !== undefined || attributes[`aria-${name}`] === "true";
  const states = ["disabled", "checked", "selected"].filter(isSet);
  return attributes["aria-pressed"] === "true" ? [...states, "pressed"] : states;
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
