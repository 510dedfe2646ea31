import type { ContentKind } from "./snapshot.ts";

const byType: [RegExp, ContentKind][] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, "html"],
  [/[/+](?:json|x-ndjson|ndjson|jsonl|geojson)$/, "json"],
  [/^(?:application|text)\/(?:x-)?(?:java|ecma)script$/, "javascript"],
  [/[/+]xml$/, "xml"],
  [/^application\/(?:x-)?pdf$/, "pdf"],
  [/^image\//, "image"],
  [/^text\//, "text"],
];
const byExtension: Record<string, ContentKind> = {
  html: "html",
  htm: "html",
  xhtml: "html",
  json: "json",
  ndjson: "json",
  webmanifest: "json",
  map: "json",
  js: "javascript",
  mjs: "javascript",
  xml: "xml",
  rss: "xml",
  atom: "xml",
  svg: "xml",
  pdf: "pdf",
  png: "image",
  jpg: "image",
  jpeg: "image",
  gif: "image",
  webp: "image",
  avif: "image",
  txt: "text",
  md: "text",
  csv: "text",
  css: "text",
  yaml: "text",
  yml: "text",
};
const SNIFFED = 1024;

/**
 * What a response is: by its content type, else by its address, else by its first bytes. What is sent as a page or
 * as plain text and is plainly something else (a feed, JSON, a PDF) is that.
 */
export function contentKind(contentType: string, url: string, body: Uint8Array): ContentKind {
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  const named = byType.find(([pattern]) => pattern.test(type))?.[1];
  const head = String.fromCharCode(...body.subarray(0, SNIFFED));
  if (named === "html") return byMagic(head) ?? (isFeed(head) ? "xml" : isJson(head, body) ? "json" : "html");
  const path = url.split(/[?#]/, 1)[0]!;
  const extended = byExtension[/\.([a-z]{2,11})$/i.exec(path)?.[1]?.toLowerCase() ?? ""];
  if (type !== "text/plain") return named ?? extended ?? bySignature(head, body);
  // Servers call every file they do not know text/plain, and a page shown as its source is text.
  if (extended !== undefined && extended !== "text") return extended;
  const found = bySignature(head, body);
  return found === "html" || found === "other" ? "text" : found;
}

function byMagic(head: string): ContentKind | undefined {
  if (head.startsWith("%PDF-")) return "pdf";
  return /^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF[^]{4}WEBP/.test(head) ? "image" : undefined;
}

// Control characters that no text has; 0x1b switches character sets in some.
// oxlint-disable-next-line no-control-regex -- they are what tells binary from text
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

function bySignature(head: string, body: Uint8Array): ContentKind {
  const magic = byMagic(head);
  if (magic) return magic;
  const start = startOf(head).toLowerCase();
  if (isFeed(head)) return "xml";
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

/** As much of a body as its kind depends on. */
export function tellingPart(body: Uint8Array): Uint8Array {
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
