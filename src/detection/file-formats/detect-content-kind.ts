import type { ContentKind } from "../snapshot/snapshot.ts";

const byType: [RegExp, ContentKind][] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, "html"],
  [/[/+](?:json|x-ndjson|ndjson|jsonl|geojson)$/, "json"],
  [/^(?:application|text)\/(?:x-)?(?:java|ecma)script$/, "javascript"],
  [/[/+]xml$/, "xml"],
  [/^application\/(?:x-)?pdf$/, "pdf"],
  [/^image\//, "image"],
  [/^text\//, "text"],
];
const extensionsOf: [ContentKind, string[]][] = [
  ["html", ["html", "htm", "xhtml"]],
  ["json", ["json", "ndjson", "webmanifest", "map"]],
  ["javascript", ["js", "mjs"]],
  ["xml", ["xml", "rss", "atom", "svg"]],
  ["pdf", ["pdf"]],
  ["image", ["png", "jpg", "jpeg", "gif", "webp", "avif"]],
  ["text", ["txt", "md", "csv", "css", "yaml", "yml"]],
];
const byExtension = new Map(
  extensionsOf.flatMap(([kind, extensions]) => extensions.map((extension) => [extension, kind] as const)),
);
const SNIFFED = 1024;

/**
 * Determines a response's kind by its content type, else by its URL, else by its first bytes. A response that is sent
 * as a page or plain text but is clearly something else (a feed, JSON, a PDF) counts as that.
 */
export function detectContentKind(contentType: string, url: string, body: Uint8Array): ContentKind {
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  const kindByType = byType.find(([pattern]) => pattern.test(type))?.[1];
  const head = String.fromCharCode(...body.subarray(0, SNIFFED));
  // Feeds are sent with every content type there is.
  if (isFeed(head)) return "xml";
  if (kindByType === "html") return byMagic(head) ?? (isJson(head, body) ? "json" : "html");
  const path = url.split(/[?#]/, 1)[0]!;
  const kindByExtension = byExtension.get(/\.([a-z]{2,11})$/i.exec(path)?.[1]?.toLowerCase() ?? "");
  if (type !== "text/plain") return kindByType ?? kindByExtension ?? bySignature(head, body);
  // Servers send every unknown file as text/plain, and HTML sent as text/plain is shown as source, so it is text.
  if (kindByExtension !== undefined && kindByExtension !== "text") return kindByExtension;
  const sniffed = bySignature(head, body);
  return sniffed === "html" || sniffed === "other" ? "text" : sniffed;
}

function byMagic(head: string): ContentKind | undefined {
  if (head.startsWith("%PDF-")) return "pdf";
  return /^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF[^]{4}WEBP/.test(head) ? "image" : undefined;
}

// Control characters that no text contains. 0x1b is not among them: it switches character sets in some texts.
// oxlint-disable-next-line no-control-regex -- they distinguish binary from text
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

function bySignature(head: string, body: Uint8Array): ContentKind {
  const magic = byMagic(head);
  if (magic) return magic;
  const start = startOf(head).toLowerCase();
  if (/^(?:<!doctype html|<html|<head|<body|<!--|<div|<p\b)/.test(start)) return "html";
  if (start.startsWith("<?xml") || /^<(?:urlset|sitemapindex|svg)\b/.test(start)) return "xml";
  if (isJson(head, body)) return "json";
  return binary.test(head) && !/^(?:\xff\xfe|\xfe\xff)/.test(head) ? "other" : "text";
}

function startOf(head: string): string {
  return head.replace(/^\xef\xbb\xbf/, "").trimStart();
}

/** Whether the first element, after the prolog and comments, is one that only feeds and sitemaps begin with. */
function isFeed(head: string): boolean {
  let rest = startOf(head);
  for (let end = 0; /^<[?!]/.test(rest); rest = rest.slice(end).trimStart()) {
    const close = rest.startsWith("<!--") ? "-->" : ">";
    end = rest.indexOf(close) + close.length;
    if (end < close.length || /^<!doctype html/i.test(rest)) return false;
  }
  return /^<(?:rss|feed|rdf:RDF|urlset|sitemapindex|opml)[\s>]/i.test(rest);
}

/** Returns the part of a body that determines its kind. */
export function sniffablePart(body: Uint8Array): Uint8Array {
  const head = body.slice(0, SNIFFED);
  return beginsLikeJson(String.fromCharCode(...head)) ? body : head;
}

const beginsLikeJson = (head: string) => /^[[{]\s*(?:["[{\]}\d-]|true|false|null|$)/.test(startOf(head));

function isJson(head: string, body: Uint8Array): boolean {
  if (!beginsLikeJson(head)) return false;
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}
