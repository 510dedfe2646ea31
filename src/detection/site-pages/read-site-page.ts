import { type HtmlNode, parseHtml, rawText } from "../html-parsing/parse-html.ts";
import { hash } from "../noise-memory/hash.ts";
import { findAddresses } from "../security-findings/addresses.ts";
import { toPageAddress } from "./page-address.ts";

/** What the inventory of a site keeps of a page, and where the page leads. */
export type SitePage = {
  title: string;
  /** Addresses of other pages, without fragments. */
  links: string[];
  /** The address by which the page wants to be known. */
  canonical: string | null;
  feeds: string[];
  /** Hosts from which it loads scripts. */
  scriptHosts: string[];
  /** Paths that its scripts name. */
  candidates: string[];
  hasScripts: boolean;
  /** The same for two pages that say the same. */
  textHash: string;
  /** The same for two pages that are built alike, whatever they say. */
  skeleton: string;
};

const maxLinks = 2000;
const maxCandidates = 100;
const maxFeeds = 10;
const maxScriptHosts = 100;
const maxTitle = 300;
const maxScript = 200_000;
const linkAttributes: Record<string, string> = { a: "href", area: "href", iframe: "src", frame: "src" };
const linkedPages = /\b(?:next|prev|alternate)\b/i;
const feedType = /^application\/(?:rss|atom)\+xml/i;
const silent = new Set(["script", "style", "noscript", "template", "title"]);
// Elements that differ from page to page although the pages are built alike.
const unsteady = new Set(
  "a abbr b br cite code del dd dt dl em figure figcaption h1 h2 h3 h4 h5 h6 hr i img ins kbd li link mark meta ol p picture pre q s script small source span strong style sub sup table tbody td th thead tr u ul blockquote video".split(
    " ",
  ),
);
const skeletonDepth = 6;

/** Reads a page in linear time. Links that ask robots not to be followed are left out if `obeys` is set. */
export function readSitePage(html: string, address: string, obeys: boolean): SitePage {
  const nodes = parseHtml(html);
  const elements = nodes.filter(({ kind }) => kind === "element");
  const baseHref = elements.find(({ tag, attributes }) => tag === "base" && attributes.href)?.attributes.href;
  const base = (baseHref && URL.parse(baseHref, address)?.href) || address;
  const isNoFollow =
    obeys &&
    elements.some(
      ({ tag, attributes: { name = "", content = "" } }) =>
        tag === "meta" && /^robots$/i.test(name) && /\b(?:nofollow|none)\b/i.test(content),
    );
  const titleAt = nodes.findIndex(({ tag }) => tag === "title");
  const relations = elements.filter(({ tag, attributes }) => tag === "link" && attributes.href);
  const canonical = relations.find(({ attributes: { rel = "" } }) => /\bcanonical\b/i.test(rel));
  return {
    title: titleAt === -1 ? "" : oneLine(rawText(nodes, titleAt)).slice(0, maxTitle),
    links: isNoFollow ? [] : linksOf(elements, base),
    canonical: canonical ? toPageAddress(canonical.attributes.href ?? "", base) : null,
    feeds: addressesOf(
      relations.filter(({ attributes: { type = "" } }) => feedType.test(type)),
      base,
    ).slice(0, maxFeeds),
    scriptHosts: scriptHostsOf(elements, base, address),
    candidates: candidatesOf(nodes, address),
    hasScripts: elements.some(({ tag }) => tag === "script"),
    textHash: hash(visibleText(nodes)),
    skeleton: hash(skeletonOf(nodes)),
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

const addressesOf = (elements: HtmlNode[], base: string) =>
  elements.flatMap(({ attributes }) => toPageAddress(attributes.href ?? "", base) ?? []);

/** What a function finds in elements, each once; at most so many. */
function firstOf<Item>(most: number, items: Iterable<Item>, find: (item: Item) => string | null): string[] {
  const found = new Set<string>();
  for (const item of items) {
    const one = find(item);
    if (one !== null) found.add(one);
    if (found.size === most) break;
  }
  return [...found];
}

const linksOf = (elements: HtmlNode[], base: string) =>
  firstOf(maxLinks, elements, ({ tag, attributes }) => {
    const { rel = "", type = "" } = attributes;
    const isLinked = tag === "link" && linkedPages.test(rel) && !feedType.test(type);
    const href = attributes[isLinked ? "href" : (linkAttributes[tag] ?? "")];
    return href === undefined ? null : toPageAddress(href, base);
  });

function scriptHostsOf(elements: HtmlNode[], base: string, address: string): string[] {
  const hosts = firstOf(maxScriptHosts, elements, ({ tag, attributes }) => {
    const url = tag === "script" && attributes.src ? URL.parse(attributes.src, base) : null;
    return url && /^https?:$/.test(url.protocol) ? url.host : null;
  });
  return hosts.filter((host) => host !== new URL(address).host).sort();
}

/** Paths that scripts on the page name. Nobody has asked us to request them. */
function candidatesOf(nodes: HtmlNode[], address: string): string[] {
  let script = "";
  for (const [at, { tag }] of nodes.entries())
    if (tag === "script" && script.length < maxScript) script += `${rawText(nodes, at)}\n`;
  const named = script === "" ? [] : findAddresses(script.slice(0, maxScript), new URL(address).host);
  return firstOf(maxCandidates, named, ({ kind, value }) =>
    kind !== "endpoint" || value.includes("…") ? null : toPageAddress(value, address),
  );
}

function visibleText(nodes: HtmlNode[]): string {
  const words: string[] = [];
  for (const { kind, parent, text } of nodes)
    if (kind === "text" && !silent.has(nodes[parent]?.tag ?? "")) words.push(text);
  return oneLine(words.join(" "));
}

/** The elements that frame the contents, each once, with those that contain them. */
function skeletonOf(nodes: HtmlNode[]): string {
  const paths: string[] = [];
  const shapes = new Set<string>();
  for (const { kind, tag, parent, depth } of nodes) {
    const above = paths[parent] ?? "";
    const isSteady = kind === "element" && depth < skeletonDepth && !unsteady.has(tag);
    const path = isSteady ? `${above}>${tag}` : above;
    paths.push(path);
    if (isSteady) shapes.add(path);
  }
  return [...shapes].sort().join("\n");
}
