import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { FailureError } from "../failure.ts";
import type { Header } from "../user-headers.ts";
import type { Exchange } from "./exchange.ts";

const chunkSize = 64 * 1024;
// RFC 9659: what is sent over HTTP needs no larger window than 8 MiB.
const zstdWindow = { [constants.ZSTD_d_windowLogMax]: 23 };

const decoders: Record<string, (body: Buffer) => Transform> = {
  gzip: () => createGunzip({ chunkSize }),
  "x-gzip": () => createGunzip({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize, params: zstdWindow }),
  // Some servers leave out the zlib wrapper that the name stands for.
  deflate: (body) => (isZlib(body) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })),
};

/**
 * Takes off the one layer of coding a body may have, up to `maxBytes` of what comes out (E10). A layer that ends too
 * early is a failure, unless it was us who cut it.
 */
export async function decodeBody(
  answer: Exchange,
  maxBytes: number,
  cut: boolean,
): Promise<{ body: Uint8Array; isCut: boolean }> {
  const { body, isCut } = answer;
  if (codings(answer.headers, "transfer-encoding").some((coding) => coding !== "chunked")) {
    throw new FailureError("protocol");
  }
  const [layer, ...more] = codings(answer.headers, "content-encoding").filter(
    (coding) => coding !== "identity",
  );
  if (body.length === 0 || layer === undefined) {
    return { body: body.subarray(0, maxBytes), isCut: isCut || body.length > maxBytes };
  }
  const decoder = more.length === 0 && Object.hasOwn(decoders, layer) ? decoders[layer]?.(body) : undefined;
  if (!decoder) throw new FailureError("protocol");
  const unpacked = await unpack(decoder, body, maxBytes, isCut);
  if (unpacked.isCut && !cut) throw new FailureError("too-large");
  return unpacked;
}

function codings(headers: Header[], name: string): string[] {
  return headers
    .filter((header) => header[0] === name)
    .flatMap((header) => header[1].toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "");
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

async function unpack(decoder: Transform, body: Buffer, maxBytes: number, wasCut: boolean) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  decoder.end(body);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    if (!wasCut) throw new FailureError("protocol", error);
  }
  return { body: Buffer.concat(chunks), isCut: wasCut || bytes > maxBytes };
}
