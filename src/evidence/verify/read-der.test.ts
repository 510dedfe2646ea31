import { expect, test } from "vitest";
import { writeElement } from "../write-der.ts";
import { childrenOf, parseDer, readElement } from "./read-der.ts";

const element = (tag: number, head: number[], content: Buffer) =>
  Buffer.concat([Buffer.from([tag, ...head]), content]);

test.for([
  ["no content", element(0x04, [0], Buffer.alloc(0)), 0],
  ["a short length", element(0x04, [127], Buffer.alloc(127)), 127],
  ["the smallest long-form length", element(0x04, [0x81, 128], Buffer.alloc(128)), 128],
  ["a length of two bytes", element(0x04, [0x82, 1, 0], Buffer.alloc(256)), 256],
] as const)("an element with %s is read", ([, bytes, length]) => {
  const parent = writeElement(0x30, bytes);
  const [child] = childrenOf(readElement(Buffer.concat([parent, Buffer.from("rest")]), 0));
  expect(child).toMatchObject({ tag: 0x04, raw: bytes });
  expect(child?.bytes).toHaveLength(length);
});

test.for([
  ["a truncated element", Buffer.from([0x04, 2, 1])],
  ["an indefinite length", Buffer.from([0x30, 0x80, 0, 0])],
  ["a length with more bytes than a number can hold", Buffer.from([0x30, 0x87, 0, 0, 0, 0, 0, 0, 0])],
  ["bytes after the last element", Buffer.from([0x04, 0, 7])],
] as const)("%s is refused", ([, bytes]) => {
  expect(() => parseDer(bytes)).toThrow();
});
