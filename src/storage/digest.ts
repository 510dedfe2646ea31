import { hash, subtle } from "node:crypto";

// Above this a thread's turn costs less than the time for which the loop would stand still.
const atOnce = 64 * 1024;

/** The SHA-256 of bytes; of many, in a thread. */
export async function digest(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length <= atOnce) return hash("sha256", bytes, "buffer");
  return Buffer.from(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}
