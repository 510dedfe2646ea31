import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

const chunkSize = 64 * 1024;
// RFC 9659: content sent over HTTP needs no larger window than 8 MiB.
const zstdWindow = { [constants.ZSTD_d_windowLogMax]: 23 };

const decoders: Record<string, (start: Uint8Array) => Transform> = {
  gzip: () => createGunzip({ chunkSize }),
  "x-gzip": () => createGunzip({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize, params: zstdWindow }),
  // Some servers leave out the zlib wrapper that this coding requires.
  deflate: (start) => (isZlib(start) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })),
};

/** Creates a decoder for a coding, given the first bytes of the body; undefined for an unknown coding. */
export function createDecoder(coding: string, start: Uint8Array): Transform | undefined {
  return Object.hasOwn(decoders, coding) ? decoders[coding]?.(start) : undefined;
}

/** The codings listed in a header's values, in the order in which they were applied. */
export function listCodings(values: string[]): string[] {
  return values
    .flatMap((value) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/** Whether a decoder failed because its input ended before the coded data did. */
export function isEarlyEnd(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "Z_BUF_ERROR";
}

/** A body may begin with a chunk of one byte; that of the wrapper begins no plain data as encoders write it. */
function isZlib([first = 0, second]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (second === undefined || ((first << 8) | second) % 31 === 0);
}
