import { expect, test } from "vitest";
import { decodeText, kindOfBody } from "./kind-of-body.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.for([
  ["text/html; charset=utf-8", "", "html"],
  ["TEXT/HTML", "", "html"],
  ["application/xhtml+xml", "", "html"],
  ["application/json", "", "json"],
  ["application/problem+json", "", "json"],
  ["application/rss+xml; charset=utf-8", "", "xml"],
  ["text/xml", "", "xml"],
  ["image/svg+xml", "", "image"],
  ["application/javascript", "", "javascript"],
  ["text/javascript", "", "javascript"],
  ["text/plain", "<html>", "text"],
  ["application/pdf", "", "pdf"],
  ["application/octet-stream", "%PDF-1.7", "pdf"],
  ["", "\x89PNG\r\n\x1a\n", "image"],
  ["", "<!DOCTYPE html><p>", "html"],
  ["", "just words", "text"],
  ["application/zip", "PK\x03\x04", "other"],
  ["application/octet-stream", "\x00\x01", "other"],
])("%s and %j is %s", ([type = "", start = "", kind]) => {
  expect(kindOfBody(type, bytes(start))).toBe(kind);
});

test("text is decoded by mark, then declaration, then UTF-8", () => {
  expect(decodeText("text/plain; charset=iso-8859-1", bytes("caf\xe9"))).toBe("café");
  expect(decodeText("text/plain", Buffer.from("café"))).toBe("café");
  expect(decodeText("text/plain; charset=iso-8859-1", Buffer.from("\ufeffé", "utf16le"))).toBe("é");
  expect(decodeText("text/plain; charset=no-such-set", Buffer.from("é"))).toBe("é");
});
