/** Writes a DER element. Its length takes as few bytes as possible, as DER demands. */
export function writeElement(tag: number, ...parts: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), writeLength(bytes.length), bytes]);
}

/** Up to 127 in one byte; above, the number of bytes that the length takes, then the length. */
export function writeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256);
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}
