// DevTools' binary format (`--remote-debugging-pipe=cbor`): a subset of CBOR in which every map and list is wrapped in
// an envelope that states its length. Pictures cross the pipe as bytes, neither as base64 nor as JSON.

const mapStart = 0xbf;
const listStart = 0x9f;
const stop = 0xff;
const envelopeTag = 0xd8;
const lengthAhead = 0x5a;
const base64Tag = 0xd6;
const maxDepth = 1_000;

/** Size of an envelope's header, whose last four bytes are the length of the content. */
export const headBytes = 7;

/** How many bytes follow the header; undefined if this is not a message. */
export function lengthOf(head: Buffer): number | undefined {
  const isHead = head[0] === envelopeTag && head[1] === 0x18 && head[2] === lengthAhead;
  return isHead ? head.readUInt32BE(3) : undefined;
}

/** Encodes a command for the browser. As in JSON, undefined fields are left out. */
export function encode(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xf6]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xf5 : 0xf4]);
  if (typeof value === "number") return encodeNumber(value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([start(3, bytes.length), bytes]);
  }
  if (Array.isArray(value)) return envelope(listStart, value.map(encode));
  const entries = Object.entries(value as object).filter(([, each]) => each !== undefined);
  return envelope(
    mapStart,
    entries.flatMap(([key, each]) => [encode(key), encode(each)]),
  );
}

function encodeNumber(value: number): Buffer {
  if (value === Math.trunc(value) && Math.abs(value) < 2 ** 31)
    return value < 0 ? start(1, -1 - value) : start(0, value);
  const bytes = Buffer.alloc(9, 0xfb);
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

/** A major type and its number in the shortest form, the only one that the browser accepts. */
function start(type: number, value: number): Buffer {
  const [extra, size] =
    value < 24 ? [value, 0] : value < 2 ** 8 ? [24, 1] : value < 2 ** 16 ? [25, 2] : [26, 4];
  const bytes = Buffer.alloc(1 + size, (type << 5) | extra);
  if (size > 0) bytes.writeUIntBE(value, 1, size);
  return bytes;
}

function envelope(kind: number, items: Buffer[]): Buffer {
  const size = items.reduce((sum, item) => sum + item.length, 2);
  const head = Buffer.from([envelopeTag, 0x18, lengthAhead, 0, 0, 0, 0, kind]);
  head.writeUInt32BE(size, 3);
  return Buffer.concat([head, ...items, Buffer.from([stop])]);
}

/** Decodes a message from the browser; binary fields are views of the message's bytes. Throws on anything else. */
export function decode(message: Buffer): unknown {
  return new Decoder(message).value(0);
}

class Decoder {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  value(depth: number): unknown {
    if (depth > maxDepth) throw new Error("CBOR: too deep");
    const byte = this.#bytes.readUInt8(this.#position++);
    const [type, extra] = [byte >> 5, byte & 31];
    if (type === 3) return this.#take(this.#number(extra)).toString("utf8");
    if (type === 0) return this.#number(extra);
    if (type === 1) return -1 - this.#number(extra);
    if (type === 2) return this.#take(this.#number(extra)).toString("utf16le");
    if (byte === envelopeTag) {
      this.#position += headBytes - 1;
      return this.value(depth + 1);
    }
    if (byte === mapStart) return this.#map(depth);
    if (byte === listStart) return this.#list(depth);
    if (byte === base64Tag) {
      const tagged = this.#bytes.readUInt8(this.#position++);
      return this.#take(this.#number(tagged & 31));
    }
    if (byte === 0xfb) return this.#take(8).readDoubleBE();
    if (byte === 0xf4) return false;
    if (byte === 0xf5) return true;
    if (byte === 0xf6) return null;
    throw new Error(`CBOR: nothing begins with ${byte}`);
  }

  #map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    while (!this.#ends()) {
      const key = String(this.value(depth + 1));
      const value = this.value(depth + 1);
      // As in JSON.parse: a page may give one of its properties this name.
      if (key === "__proto__") Object.defineProperty(map, key, { value, enumerable: true });
      else map[key] = value;
    }
    return map;
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    while (!this.#ends()) list.push(this.value(depth + 1));
    return list;
  }

  #ends(): boolean {
    const isStop = this.#bytes.readUInt8(this.#position) === stop;
    if (isStop) this.#position += 1;
    return isStop;
  }

  #number(extra: number): number {
    if (extra < 24) return extra;
    if (extra === 27) return Number(this.#take(8).readBigUInt64BE());
    const size = 1 << (extra - 24);
    if (extra > 27) throw new Error("CBOR: no such length");
    return this.#take(size).readUIntBE(0, size);
  }

  #take(size: number): Buffer {
    const end = this.#position + size;
    if (end > this.#bytes.length) throw new Error("CBOR: cut short");
    const taken = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }
}
