import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, zstdCompress, zstdDecompress } from "node:zlib";

const compressBrotli = promisify(brotliCompress);
const decompressBrotli = promisify(brotliDecompress);
const compressZstd = promisify(zstdCompress);
const decompressZstd = promisify(zstdDecompress);

const format = { raw: 0, brotli: 1, zstd: 2 } as const;

// Keyframes make up most of a chain's size. Brotli at its highest quality makes them a seventh smaller than zstd at
// level 9, but takes seconds above this size.
const brotliLimit = 512 * 1024;

// Each chunk is a separate task for a thread: with the default of 16 KiB, a large page takes three times as long.
const chunkSize = 256 * 1024;

/** Packs a revision, as its difference from `base` if there is one. */
export async function packBytes(bytes: Uint8Array, base?: Uint8Array): Promise<Uint8Array> {
  if (base) return addTag(format.zstd, await zstd(bytes, base));
  const packed =
    bytes.length <= brotliLimit
      ? addTag(format.brotli, await brotli(bytes))
      : addTag(format.zstd, await zstd(bytes));
  return packed.length <= bytes.length ? packed : addTag(format.raw, bytes);
}

/** Packs without compression. */
export const wrapBytes = (bytes: Uint8Array): Uint8Array => addTag(format.raw, bytes);

/** Returns exactly what was packed; `base` must be the one it was packed with. */
export async function unpackBytes(packed: Uint8Array, base?: Uint8Array): Promise<Uint8Array> {
  const payload = packed.subarray(1);
  switch (packed[0]) {
    case format.raw:
      return payload;
    case format.brotli:
      return decompressBrotli(payload, { chunkSize });
    case format.zstd:
      return decompressZstd(payload, {
        chunkSize,
        dictionary: base,
        params: { [constants.ZSTD_d_windowLogMax]: 27 },
      });
    default:
      throw new Error(`unknown blob format ${packed[0]}`);
  }
}

function brotli(bytes: Uint8Array): Promise<Uint8Array> {
  return compressBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

function zstd(bytes: Uint8Array, base?: Uint8Array): Promise<Uint8Array> {
  // The window must span base and revision, and the hash table must cover all of it, or matches far back are lost.
  const span = Math.ceil(Math.log2(bytes.length + (base?.length ?? 0) + 1));
  const table = Math.min(24, span);
  return compressZstd(bytes, {
    chunkSize,
    dictionary: base,
    params: {
      [constants.ZSTD_c_compressionLevel]: 9,
      [constants.ZSTD_c_windowLog]: Math.min(27, Math.max(17, span)),
      ...(table > 20 && { [constants.ZSTD_c_hashLog]: table }),
    },
  });
}

function addTag(tag: number, payload: Uint8Array): Uint8Array {
  const packed = new Uint8Array(payload.length + 1);
  packed[0] = tag;
  packed.set(payload, 1);
  return packed;
}
