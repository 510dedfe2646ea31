import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Pixels } from "./pictures.ts";

// Pixels are in memory that all threads share: none are copied on their way.
const threads = new Piscina({
  filename: new URL("./picture-thread.ts", import.meta.url).href,
  minThreads: 0,
  maxThreads: availableParallelism(),
  idleTimeout: 60_000,
  // Its other way of waiting holds a thread fast, and with it the end of the process.
  atomics: "disabled",
  niceIncrement: 10,
});

/** Reads a picture file into pixels. */
export function decodePicture(file: Uint8Array): Promise<Pixels> {
  return threads.run(file, { name: "decode" });
}

/** What makes two pictures the same: size and pixels, however their files were compressed. */
export async function hashPixels(pixels: Pixels): Promise<Buffer> {
  return Buffer.from(await threads.run(pixels, { name: "hash" }));
}

/** Packs a picture, as the rows that are not in `base` where one of the same width is given. */
export function packPicture(pixels: Pixels, base?: Pixels): Promise<Uint8Array> {
  return threads.run({ pixels, base }, { name: "pack" });
}

/** A picture from its packed link and those it builds on, newest first. */
export function unpackPicture(links: Uint8Array[]): Promise<Pixels> {
  return threads.run(links, { name: "unpack" });
}
