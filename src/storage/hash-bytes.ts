import { hash, subtle } from "node:crypto";

// Above this size, handing the work to a thread costs less than blocking the event loop.
const maxInlineBytes = 64 * 1024;

/** SHA-256; large inputs are hashed in a worker thread. */
export async function digest(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length <= maxInlineBytes) return hash("sha256", bytes, "buffer");
  return Buffer.from(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}
