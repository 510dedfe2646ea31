import { expect, test } from "vitest";
import { detectContentKind, sniffablePart } from "./detect-content-kind.ts";

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
  ["application/json", "https://a.example/feed", "<rss version='2.0'>", "xml"],
  ["application/octet-stream", "https://a.example/feed.txt", "<?xml version='1.0'?><feed>", "xml"],
  ["TEXT/HTML", "https://a.example/", "", "html"],
  ["text/html", "https://a.example/feed", "<?xml version='1.0'?>\n<!-- x --><rss version='2.0'>", "xml"],
  ["text/html", "https://a.example/feed", "\xef\xbb\xbf<feed xmlns='http://www.w3.org/2005/Atom'>", "xml"],
  ["text/html", "https://a.example/api", ' {"a": [1, 2]}\n', "json"],
  ["text/html", "https://a.example/", "<?xml version='1.0'?><!DOCTYPE html><html>", "html"],
  ["text/html", "https://a.example/", '{"a": not json} <p>', "html"],
  ["text/html", "https://a.example/", "<!--".repeat(400), "html"],
  ["text/html", "https://a.example/", "%PDF-1.7", "pdf"],
  ["text/plain", "https://a.example/api", '[{"a":1}]', "json"],
  ["text/plain", "https://a.example/api", "[1] a note", "text"],
  ["text/plain", "https://a.example/feed", "<rss><channel>", "xml"],
  ["text/plain", "https://a.example/", "<html>", "text"],
  ["text/plain", "https://a.example/", "a\0b", "text"],
  ["text/csv", "https://a.example/", "a,b", "text"],
  ["application/zip", "https://a.example/", "PK\x03\x04", "other"],
  ["application/x-pdf", "https://a.example/", "", "pdf"],
  ["application/geo+json", "https://a.example/", "", "json"],
  ["", "https://a.example/", "\xff\xfea\0b\0", "text"],
])("%s at %s starting %j is %s", (type, url, body, kind) => {
  expect(detectContentKind(type, url, bytes(body))).toBe(kind);
});

test("sniffablePart gives the same kind as the whole body, and is shorter where possible", () => {
  const long = "x".repeat(5_000);
  const bodies: [string, string][] = [
    ["text/html", `<!doctype html><p>${long}`],
    ["text/html", `  [{"a": "${long}"}]`],
    ["text/html", `{"a": "${long}", broken`],
    ["text/plain", `<?xml version="1.0"?><rss>${long}</rss>`],
    ["", `%PDF-1.7 ${long}`],
    ["", long],
  ];
  const sizes = bodies.map(([type, text]) => {
    const body = Buffer.from(text);
    const part = sniffablePart(body);
    expect(detectContentKind(type, "https://x.test/", part)).toBe(
      detectContentKind(type, "https://x.test/", body),
    );
    return part.length < body.length;
  });
  expect(sizes).toEqual([true, false, false, true, true, true]);
});
