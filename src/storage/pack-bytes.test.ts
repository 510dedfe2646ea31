import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { packBytes, unpackBytes } from "./pack-bytes.ts";

const page = (n: number) =>
  Buffer.from(Array.from({ length: 4000 }, (_, i) => `<p id=p${i * 7919}>${i ^ n}</p>`).join("\n"));

test("bytes packed without a base are unpacked exactly", async () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from("a"),
    page(1),
    randomBytes(3000),
    randomBytes(600 * 1024),
  ]) {
    expect(Buffer.from(await unpackBytes(await packBytes(bytes))).equals(bytes)).toBe(true);
  }
});

test("incompressible bytes grow by one byte", async () => {
  expect((await packBytes(randomBytes(5000))).length).toBe(5001);
});

test("a packed revision is as small as its new content", async () => {
  const [before, after] = [page(0), Buffer.concat([page(0), Buffer.from("<p>new</p>")])];
  const packed = await packBytes(after, before);
  expect(packed.length).toBeLessThan(100);
  expect(Buffer.from(await unpackBytes(packed, before)).equals(after)).toBe(true);
});

test("a far match in a large base is found", async () => {
  const before = randomBytes(9 * 1024 * 1024);
  const packed = await packBytes(before.subarray(0, 8 * 1024 * 1024), before);
  expect(packed.length).toBeLessThan(10_000);
});

test("unpacking with the wrong base fails or gives other bytes, never the right ones", async () => {
  const packed = await packBytes(page(1), page(0));
  const outcome = await unpackBytes(packed, page(3)).catch(() => null);
  expect(outcome === null || !Buffer.from(outcome).equals(page(1))).toBe(true);
});

test("an unknown format is refused", async () => {
  await expect(unpackBytes(Uint8Array.of(99, 1, 2))).rejects.toThrow("unknown blob format 99");
});
