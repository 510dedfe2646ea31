import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const cyrillic = Uint8Array.from("Привет мир, цена товара и срок доставки", (char) => {
  const code = char.codePointAt(0) ?? 0;
  return code < 128 ? code : code - 0x410 + 0xc0;
});
const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);

test.for([
  ["a header", "text/plain; charset=iso-8859-1", bytes("caf\xe9"), "café"],
  ["a header in quotes", 'text/csv; charset="Shift_JIS"', japanese, "日本"],
  [
    "an XML prolog",
    "application/xml",
    bytes('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>'),
    expect.stringMatching(/é/),
  ],
  [
    "a meta element",
    "text/html",
    bytes('<!doctype html><meta charset="windows-1250"><p>\xe8'),
    expect.stringMatching(/č/),
  ],
  [
    "an old meta element",
    "text/html",
    bytes('<meta http-equiv="content-type" content="text/html; charset=windows-1250"><p>\xe8'),
    expect.stringMatching(/č/),
  ],
  [
    "the header rather than the meta element",
    "text/html; charset=iso-8859-1",
    bytes('<meta charset="koi8-r">\xe9'),
    expect.stringMatching(/é$/),
  ],
  [
    "a byte order mark rather than the header",
    "text/plain; charset=iso-8859-1",
    Buffer.from("\ufeffé", "utf16le"),
    "é",
  ],
  ["valid UTF-8", "text/csv", Buffer.from("Müller;é\n"), "Müller;é\n"],
  ["UTF-8 if the charset is unknown", "text/plain; charset=no-such-set", Buffer.from("é"), "é"],
  ["the encoding that its bytes suggest", "text/plain", cyrillic, "Привет мир, цена товара и срок доставки"],
  [
    "the encoding that its bytes suggest, despite a declared UTF-8",
    "text/csv; charset=utf-8",
    bytes("M\xfcller;Stra\xdfe\n"),
    "Müller;Straße\n",
  ],
  [
    "UTF-8 with one broken byte",
    "text/plain; charset=utf-8",
    Buffer.concat([Buffer.from("Müß"), bytes("\xff")]),
    "Müß\ufffd",
  ],
] as const)("text is decoded by %s", ([, type, body, text]) => {
  expect(decodeText(type, body)).toEqual(text);
});

test("two bodies that differ in any byte give different texts", () => {
  const texts = new Set<string>();
  for (let byte = 0; byte < 256; byte++) texts.add(decodeText("", Uint8Array.of(0x61, byte, 0xff, 0x61)));
  expect(texts.size).toBe(256);
});
