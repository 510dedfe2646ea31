import type { ContentKind } from "./snapshot.ts";

const byType: [RegExp, ContentKind][] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, "html"],
  [/^application\/(?:(?:[\w.-]+\+)?json|x-ndjson|jsonl)$|^text\/json$/, "json"],
  [/^(?:application|text)\/(?:x-)?(?:java|ecma)script$/, "javascript"],
  [/^image\/svg\+xml$|^(?:application|text)\/(?:[\w.-]+\+)?xml$/, "xml"],
  [/^application\/pdf$/, "pdf"],
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

/** What a response is, by its content type, else by its address, else by how it starts. */
export function contentKind(contentType: string, url: string, body: Uint8Array): ContentKind {
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  const named = byType.find(([pattern]) => pattern.test(type))?.[1];
  const path = url.split(/[?#]/, 1)[0]!;
  const extended = byExtension[/\.([a-z]{2,11})$/i.exec(path)?.[1]?.toLowerCase() ?? ""];
  // Servers call every file they do not know text/plain.
  if (named === "text" && extended !== undefined && type === "text/plain") return extended;
  return named ?? extended ?? bySignature(body);
}

function bySignature(body: Uint8Array): ContentKind {
  const head = String.fromCharCode(...body.subarray(0, 512));
  if (head.startsWith("%PDF-")) return "pdf";
  if (/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF[^]{4}WEBP/.test(head)) return "image";
  const start = head
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart()
    .toLowerCase();
  if (/^(?:<!doctype html|<html|<head|<body|<!--|<div|<p\b)/.test(start)) return "html";
  if (start.startsWith("<?xml") || /^<(?:rss|feed|urlset|sitemapindex|svg)\b/.test(start)) return "xml";
  if (/^[[{]/.test(start)) return "json";
  return head.includes("\0") ? "other" : "text";
}
