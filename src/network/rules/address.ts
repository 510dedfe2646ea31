/** An IP address as a number, so that no spelling of it can matter. */
export type Address = { family: 4 | 6; value: bigint; text: string };

export type Range = { family: 4 | 6; base: bigint; hostBits: bigint };

/** Reads the plain spellings only: dotted decimal, or IPv6 without zone or brackets. */
export function parseAddress(text: string): Address | null {
  const value = text.includes(":") ? parseIPv6(text) : parseIPv4(text);
  return value === null ? null : { family: text.includes(":") ? 6 : 4, value, text };
}

/** Reads `address/bits`; host bits below the mask are ignored. */
export function parseRange(text: string): Range | null {
  const [, addressText = "", bitsText = ""] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  const bits = Number(bitsText);
  if (!address || bits > width(address.family)) return null;
  const hostBits = BigInt(width(address.family) - bits);
  return { family: address.family, base: address.value >> hostBits, hostBits };
}

/** A table of ranges that are known to be well written. */
export function ranges(...texts: string[]): Range[] {
  return texts.map((text) => {
    const range = parseRange(text);
    if (!range) throw new Error(`not a range: ${text}`);
    return range;
  });
}

export function isIn(address: Address, table: Range[]): boolean {
  return table.some(
    (range) => range.family === address.family && address.value >> range.hostBits === range.base,
  );
}

export function isSameAddress(one: Address, other: Address): boolean {
  return one.family === other.family && one.value === other.value;
}

const width = (family: 4 | 6) => (family === 4 ? 32 : 128);

function parseIPv4(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4) return null;
  let value = 0;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null;
    value = value * 256 + Number(part);
  }
  return BigInt(value);
}

function parseIPv6(text: string): bigint | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? "", halves.length === 1);
  const tail = parseGroups(halves[1] ?? "", true);
  if (!head || !tail) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array<number>(missing).fill(0), ...tail];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

function parseGroups(text: string, mayEndInIPv4: boolean): number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (part.includes(".") && mayEndInIPv4 && index === parts.length - 1) {
      const inner = parseIPv4(part);
      if (inner === null) return null;
      groups.push(Number(inner >> 16n), Number(inner & 0xffffn));
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return null;
    }
  }
  return groups;
}
