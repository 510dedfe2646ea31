/** Hashes each line but the first `start` and the last `end` ones. */
export function hashLines(lines: readonly string[], start: number, end: number): Int32Array {
  const hashes = new Int32Array(lines.length - start - end);
  for (let i = 0; i < hashes.length; i++) {
    const line = lines[start + i]!;
    let hash = line.length;
    for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hashes[i] = hash ^ (hash >>> 13);
  }
  return hashes;
}

/** Replaces hashes by small consecutive ids; far faster than a Map of strings if there are many short lines. */
export function intern(a: Int32Array, b: Int32Array): { a: Uint32Array; b: Uint32Array; count: number } {
  let size = 16;
  while (size < 2 * (a.length + b.length)) size *= 2;
  const mask = size - 1;
  // Open addressing; an entry is id + 1 (0 means free), then the hash.
  const table = new Int32Array(2 * size);
  let count = 0;
  const internHashes = (hashes: Int32Array): Uint32Array => {
    const ids = new Uint32Array(hashes.length);
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i]!;
      let at = hash & mask;
      while (table[2 * at] !== 0 && table[2 * at + 1] !== hash) at = (at + 1) & mask;
      if (table[2 * at] === 0) {
        table[2 * at] = ++count;
        table[2 * at + 1] = hash;
      }
      ids[i] = table[2 * at]! - 1;
    }
    return ids;
  };
  return { a: internHashes(a), b: internHashes(b), count };
}
