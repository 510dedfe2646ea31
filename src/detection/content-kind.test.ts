import { expect, test } from "vitest";
import { contentKind } from "./content-kind.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

test.each([
  ["text/html; charset=utf-8", "https://a.example/x.json", "", "html"],
  ["application/problem+json", "https://a.example/", "", "json"],
  ["application/javascript", "https://a.example/", "", "javascript"],
  ["application/rss+xml", "https://a.example/", "", "xml"],
  ["image/svg+xml", "https://a.example/", "", "xml"],
  ["image/png", "https://a.example/", "", "image"],
  ["text/plain", "https://a.example/data.json?x=1", "", "json"],
  ["text/plain", "https://a.example/.well-known/security.txt", "", "text"],
  ["", "https://a.example/report.pdf", "", "pdf"],
  ["application/octet-stream", "https://a.example/", "%PDF-1.7", "pdf"],
  ["", "https://a.example/", "\x89PNG\r\n", "image"],
  ["", "https://a.example/", " <!DOCTYPE html><p>", "html"],
  ["", "https://a.example/", "<?xml version='1.0'?>", "xml"],
  ["", "https://a.example/", '\n{"a":1}', "json"],
  ["", "https://a.example/", "plain words", "text"],
  ["", "https://a.example/", "\0\x01\x02", "other"],
  ["", "", "", "text"],
])("%s at %s starting %j is %s", (type, url, body, kind) => {
  expect(contentKind(type, url, bytes(body))).toBe(kind);
});
