import type { Form, Page, Spot } from "../page.ts";
import { foldSpace } from "./fold-space.ts";
import { type HtmlNode, rawText } from "./parse-html.ts";
import type { Places } from "./place.ts";
import { resolve } from "./resolve.ts";
import { signsOf } from "./signs.ts";

/** What is known of an element from those around it. */
export type Found = Spot & {
  unseen: boolean;
  silent: boolean;
  /** Nearest block-level element, itself included. */
  block: number;
  form: Form | null;
  /** Element that opened the landmark, -1 where none did. */
  landmark: number;
};

// What a style sheet written into the page asks other hosts for.
const styleAddress = /(?:@import\s+|url\(\s*)(?:url\(\s*)?["']?((?:https?:)?\/\/[^"')\s]+)/gi;

// Nodes looked at for a link's text: badly nested links hold each other.
const MAX_LABEL = 100;

/** Takes down what an element makes a browser do: follow, send, run, show. */
export function collect(page: Page, nodes: HtmlNode[], index: number, spot: Found, places: Places): void {
  const node = nodes[index] as HtmlNode;
  const { attributes } = node;
  const at = (): Spot => ({
    area: spot.area,
    zone: spot.zone,
    hidden: spot.hidden,
    root: spot.root,
    place: places.of(index),
  });
  for (const name in attributes) {
    const value = attributes[name] ?? "";
    if (
      name.startsWith("on") ||
      name === "ping" ||
      /^\s*(?:javascript|vbscript|data:text\/html)/i.test(value)
    )
      page.handlers.push(value);
  }
  for (const sign of signsOf(nodes, index, at)) page.signs.push(sign);
  switch (node.tag) {
    case "title":
      if (page.title === "" && !isInside(nodes, index, "svg")) page.title = foldSpace(rawText(nodes, index));
      break;
    case "base":
      if (attributes.href) page.base = resolve(attributes.href, page.base);
      break;
    case "a":
    case "area":
      if (attributes.href !== undefined) {
        page.links.push({
          ...at(),
          node: index,
          href: attributes.href.trim(),
          text: (foldSpace(rawText(nodes, index, MAX_LABEL)) || spokenOf(nodes, index)).slice(0, 200),
        });
      }
      break;
    case "form": {
      const form: Form = {
        ...at(),
        action: attributes.action?.trim() ?? "",
        method: (attributes.method ?? "get").toLowerCase(),
        inputs: [],
      };
      page.forms.push(form);
      spot.form = form;
      break;
    }
    case "input":
    case "select":
    case "textarea":
    case "button": {
      if (attributes.formaction !== undefined)
        page.forms.push({ ...at(), action: attributes.formaction.trim(), method: "", inputs: [] });
      const type = node.tag === "input" ? (attributes.type ?? "text").toLowerCase() : node.tag;
      const input = { name: attributes.name ?? "", type };
      if (spot.form) spot.form.inputs.push(input);
      // A script sends what a field without a form takes.
      else if (type === "password") page.forms.push({ ...at(), action: "", method: "", inputs: [input] });
      break;
    }
    case "script": {
      const type = (attributes.type ?? "").toLowerCase();
      const runs =
        type === "" || type === "module" || type.includes("javascript") || type.includes("ecmascript");
      const src = (attributes.src ?? attributes.href ?? attributes["xlink:href"])?.trim() ?? null;
      page.scripts.push({ src, code: src === null ? rawText(nodes, index) : "", type: runs ? "" : type });
      break;
    }
    case "style":
      for (const [, address = ""] of rawText(nodes, index).matchAll(styleAddress)) page.styles.push(address);
      break;
    case "iframe":
    case "frame":
    case "embed":
    case "object":
      page.frames.push({ ...at(), tag: node.tag, src: (attributes.src ?? attributes.data ?? "").trim() });
      if (attributes.srcdoc) page.handlers.push(attributes.srcdoc);
      break;
    case "meta": {
      const equivalent = attributes["http-equiv"] ?? "";
      if (/^\s*refresh\s*$/i.test(equivalent)) {
        // Browsers with scripts, which is nearly all of them, never follow the one in a noscript.
        const all = isInside(nodes, index, "noscript") ? page.scriptlessRefreshes : page.refreshes;
        all.push(attributes.content ?? "");
        break;
      }
      const name = (attributes.name ?? attributes.property ?? equivalent).toLowerCase();
      if (name) page.metas.push({ name, content: foldSpace(attributes.content ?? "") });
      break;
    }
    case "link": {
      const rel = (attributes.rel ?? "").toLowerCase();
      if (rel === "canonical") page.metas.push({ name: "canonical", content: attributes.href ?? "" });
      if (/\bstylesheet\b/.test(rel) && attributes.href) page.styles.push(attributes.href.trim());
      const isScript =
        /\bmodulepreload\b/.test(rel) || (/\bpreload\b/.test(rel) && attributes.as === "script");
      if (isScript && attributes.href) page.scripts.push({ src: attributes.href.trim(), code: "", type: "" });
    }
  }
}

/** What a screen reader says of a link or a control without words: its own label, or that of a picture in it. */
function spokenOf(nodes: HtmlNode[], index: number): string {
  const end = Math.min(nodes[index]?.end ?? 0, index + MAX_LABEL);
  for (let at = index; at < end; at++) {
    const { "aria-label": label, alt, title } = nodes[at]?.attributes ?? {};
    const spoken = foldSpace(label || alt || title || "");
    if (spoken !== "") return spoken;
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
