import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Pixels } from "./pixels.ts";

// Pixels are in memory that all threads share, so none are copied between them.
const threads = new Piscina({
  filename: new URL("./thread.ts", import.meta.url).href,
  minThreads: 0,
  maxThreads: availableParallelism(),
  idleTimeout: 60_000,
  // With atomics, a waiting thread is blocked, which keeps the process from ending.
  atomics: "disabled",
  niceIncrement: 10,
});

/** Reads a picture file into pixels. */
export function decodePicture(file: Uint8Array): Promise<Pixels> {
  return threads.run(file, { name: "decode" });
}

/** A hash of size and pixels: the same for equal pictures, however their files were compressed. */
export async function hashPixels(pixels: Pixels): Promise<Buffer> {
  return Buffer.from(await threads.run(pixels, { name: "hash" }));
}

/** Packs a picture; with a `base` of the same width, only the rows that are not in it. */
export function packPicture(pixels: Pixels, base?: Pixels): Promise<Uint8Array> {
  return threads.run({ pixels, base }, { name: "pack" });
}

/** Rebuilds a picture from its packed delta and those it builds on, newest first. */
export function unpackPicture(links: Uint8Array[]): Promise<Pixels> {
  return threads.run(links, { name: "unpack" });
}
