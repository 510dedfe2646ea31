import { signsOf } from "../controls-and-metadata/non-text-signs.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import type { Places } from "./locations.ts";
import type { Form, Page, Spot } from "./page.ts";
import { type HtmlNode, rawText } from "./parse-html.ts";
import { resolve } from "./resolve.ts";

/** What is known about an element from itself and its ancestors. */
export type Found = Spot & {
  unseen: boolean;
  silent: boolean;
  /** Index of the nearest block-level element, the element itself included. */
  block: number;
  form: Form | null;
  /** Index of the element that opened the landmark, -1 if there is none. */
  landmark: number;
};

// Addresses on other hosts that an inline style sheet loads.
const styleAddress = /(?:@import\s+|url\(\s*)(?:url\(\s*)?["']?((?:https?:)?\/\/[^"')\s]+)/gi;

// Maximum number of nodes read for a link's text: badly nested links contain each other.
const MAX_LABEL = 100;

type Attributes = HtmlNode["attributes"];

/** Records on the page what an element makes a browser do: follow a link, send a form, run a script, show a frame. */
export function collect(page: Page, nodes: HtmlNode[], index: number, spot: Found, places: Places): void {
  const { tag, attributes } = nodes[index] as HtmlNode;
  const toSpot = (): Spot => ({
    area: spot.area,
    zone: spot.zone,
    hidden: spot.hidden,
    root: spot.root,
    place: places.of(index),
  });
  collectHandlers(page, attributes);
  for (const sign of signsOf(nodes, index, toSpot)) page.signs.push(sign);
  switch (tag) {
    case "title":
      if (page.title === "" && !isInside(nodes, index, "svg")) page.title = foldSpace(rawText(nodes, index));
      break;
    case "base":
      if (attributes.href) page.base = resolve(attributes.href, page.base);
      break;
    case "a":
    case "area":
      if (attributes.href !== undefined) collectLink(page, nodes, index, attributes.href, toSpot());
      break;
    case "form":
      spot.form = collectForm(page, attributes, toSpot());
      break;
    case "input":
    case "select":
    case "textarea":
    case "button":
      collectField(page, tag, attributes, spot.form, toSpot);
      break;
    case "script":
      collectScript(page, nodes, index, attributes);
      break;
    case "style":
      for (const [, address = ""] of rawText(nodes, index).matchAll(styleAddress)) page.styles.push(address);
      break;
    case "iframe":
    case "frame":
    case "embed":
    case "object":
      page.frames.push({ ...toSpot(), tag, src: (attributes.src ?? attributes.data ?? "").trim() });
      if (attributes.srcdoc) page.handlers.push(attributes.srcdoc);
      break;
    case "meta":
      collectMeta(page, nodes, index, attributes);
      break;
    case "link":
      collectHeadLink(page, attributes);
  }
}

/** Records code and addresses in attributes that a browser runs or calls without another element. */
function collectHandlers(page: Page, attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name] ?? "";
    if (
      name.startsWith("on") ||
      name === "ping" ||
      /^\s*(?:javascript|vbscript|data:text\/html)/i.test(value)
    )
      page.handlers.push(value);
  }
}

function collectLink(page: Page, nodes: HtmlNode[], index: number, href: string, spot: Spot): void {
  const text = foldSpace(rawText(nodes, index, MAX_LABEL)) || accessibleNameOf(nodes, index);
  page.links.push({ ...spot, node: index, href: href.trim(), text: text.slice(0, 200) });
}

function collectForm(page: Page, { action, method }: Attributes, spot: Spot): Form {
  const form: Form = {
    ...spot,
    action: action?.trim() ?? "",
    method: (method ?? "get").toLowerCase(),
    inputs: [],
  };
  page.forms.push(form);
  return form;
}

function collectField(
  page: Page,
  tag: string,
  { formaction, name, type: inputType }: Attributes,
  form: Form | null,
  toSpot: () => Spot,
): void {
  if (formaction !== undefined)
    page.forms.push({ ...toSpot(), action: formaction.trim(), method: "", inputs: [] });
  const type = tag === "input" ? (inputType ?? "text").toLowerCase() : tag;
  const input = { name: name ?? "", type };
  if (form) form.inputs.push(input);
  // A password field outside any form is sent by a script, so it counts as a form of its own.
  else if (type === "password") page.forms.push({ ...toSpot(), action: "", method: "", inputs: [input] });
}

function collectScript(page: Page, nodes: HtmlNode[], index: number, attributes: Attributes): void {
  const type = (attributes.type ?? "").toLowerCase();
  const runs = type === "" || type === "module" || type.includes("javascript") || type.includes("ecmascript");
  const src = (attributes.src ?? attributes.href ?? attributes["xlink:href"])?.trim() ?? null;
  page.scripts.push({ src, code: src === null ? rawText(nodes, index) : "", type: runs ? "" : type });
}

function collectMeta(page: Page, nodes: HtmlNode[], index: number, attributes: Attributes): void {
  const equivalent = attributes["http-equiv"] ?? "";
  if (/^\s*refresh\s*$/i.test(equivalent)) {
    // Browsers that run scripts, which is nearly all of them, never follow a refresh inside a noscript.
    const refreshes = isInside(nodes, index, "noscript") ? page.scriptlessRefreshes : page.refreshes;
    refreshes.push(attributes.content ?? "");
    return;
  }
  const name = (attributes.name ?? attributes.property ?? equivalent).toLowerCase();
  if (name) page.metas.push({ name, content: foldSpace(attributes.content ?? "") });
}

/** Records a link element: the canonical address, style sheets, and scripts that are loaded ahead of their use. */
function collectHeadLink(page: Page, { rel: relation = "", href, as: use }: Attributes): void {
  const rel = relation.toLowerCase();
  if (rel === "canonical") page.metas.push({ name: "canonical", content: href ?? "" });
  if (!href) return;
  if (/\bstylesheet\b/.test(rel)) page.styles.push(href.trim());
  const isScript = /\bmodulepreload\b/.test(rel) || (/\bpreload\b/.test(rel) && use === "script");
  if (isScript) page.scripts.push({ src: href.trim(), code: "", type: "" });
}

/** What a screen reader announces for a link without text: its own label, or that of a picture inside it. */
function accessibleNameOf(nodes: HtmlNode[], index: number): string {
  const end = Math.min(nodes[index]?.end ?? 0, index + MAX_LABEL);
  for (let at = index; at < end; at++) {
    const { "aria-label": label, alt, title } = nodes[at]?.attributes ?? {};
    const name = foldSpace(label || alt || title || "");
    if (name !== "") return name;
  }
  return "";
}

function isInside(nodes: HtmlNode[], index: number, tag: string): boolean {
  for (let at = nodes[index]?.parent ?? -1, steps = 0; at >= 0 && steps < 20; steps++) {
    if (nodes[at]?.tag === tag) return true;
    at = nodes[at]?.parent ?? -1;
  }
  return false;
}
