import { constants, createGunzip, gunzip } from "node:zlib";
import { FailureError } from "../failure.ts";
import type { Header } from "../user-headers.ts";
import type { Exchange } from "./exchange.ts";

/** Takes off the one layer of gzip a body may have; anything else asked of us is refused (E10). */
export async function decodeBody(
  answer: Exchange,
  maxBytes: number,
  cut: boolean,
): Promise<{ body: Uint8Array; isCut: boolean }> {
  const { body, isCut } = answer;
  if (codings(answer.headers, "transfer-encoding").some((coding) => coding !== "chunked")) {
    throw new FailureError("protocol");
  }
  const layers = codings(answer.headers, "content-encoding").filter((coding) => coding !== "identity");
  if (body.length === 0 || layers.length === 0) {
    return { body: body.subarray(0, maxBytes), isCut: isCut || body.length > maxBytes };
  }
  if (layers.length > 1 || !/^(x-)?gzip$/.test(layers[0] ?? "")) throw new FailureError("protocol");
  return cut ? inflateUpTo(body, maxBytes, isCut) : { body: await inflate(body, maxBytes), isCut };
}

function codings(headers: Header[], name: string): string[] {
  return headers
    .filter((header) => header[0] === name)
    .flatMap((header) => header[1].toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "");
}

function inflate(body: Buffer, maxOutputLength: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength }, (error, result) => {
      if (!error) return resolve(result);
      const isTooLarge = "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      reject(new FailureError(isTooLarge ? "too-large" : "protocol", error));
    });
  });
}

async function inflateUpTo(body: Buffer, maxBytes: number, isCut: boolean) {
  const stream = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.end(body);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    throw new FailureError("protocol", error);
  }
  return { body: Buffer.concat(chunks), isCut: isCut || bytes > maxBytes };
}
