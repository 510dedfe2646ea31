import { expect, test } from "vitest";
import { decode, encode } from "./cbor.ts";

test.for([
  [{}],
  [{ a: 0, b: 23, c: 24, d: 255, e: 256, f: 65_535, g: 65_536, h: 2_147_483_647 }],
  [{ a: -1, b: -24, c: -25, d: -257, e: -2_147_483_647, f: 2_147_483_648, g: 1e21, h: 0.1 }],
  [{ list: [[], [{}], [null, true, false, "", "text", "ü 漢 😀", "x".repeat(70_000)]] }],
])("decoding an encoded value gives the same value: %j", ([value]) => {
  expect(decode(encode(value))).toEqual(value);
});

test("UTF-16 strings and bytes are decoded as the browser writes them", () => {
  // {"t": UTF-16LE "é漢", "d": tag 22, bytes 00 ff}
  const message = Buffer.from("d8185a0000000fbf617444e900226f6164d64200ffff", "hex");
  expect(decode(message)).toEqual({ t: "é漢", d: Buffer.from([0, 255]) });
});

test("a page's __proto__ is decoded as an ordinary property", () => {
  const decoded = decode(encode(JSON.parse('{"__proto__":{"gone":true}}'))) as { gone?: boolean };
  expect([Object.keys(decoded), decoded.gone]).toEqual([["__proto__"], undefined]);
});
