export type Der = { tag: number; bytes: Buffer; raw: Buffer };

/** Reads the DER element that begins at an offset. */
export function readElement(bytes: Buffer, at: number): Der {
  const first = bytes.readUInt8(at + 1);
  // 0x80 is a length that is only known at the end, which BER allows and DER doesn't.
  if (first === 0x80) throw new Error("not DER");
  const size = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + size;
  const end = start + (size === 0 ? first : bytes.readUIntBE(at + 2, size));
  // A length must be as short as possible, so that each value has only one encoding.
  const isShortest = size === 0 || (end - start >= 0x80 && bytes.readUInt8(at + 2) !== 0);
  if (!isShortest || end > bytes.length) throw new Error("not DER");
  return { tag: bytes.readUInt8(at), bytes: bytes.subarray(start, end), raw: bytes.subarray(at, end) };
}

/** Splits a DER encoding into its elements. */
export function parseDer(bytes: Buffer): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at);
    found.push(element);
    at += element.raw.length;
  }
  return found;
}

/** The elements inside an element. */
export const childrenOf = (element: Der | undefined) => (element ? parseDer(element.bytes) : []);
