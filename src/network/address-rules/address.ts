import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A parsed IP address, so that its spelling does not matter. */
export type Address = { family: 4 | 6; ip: ipaddr.IPv4 | ipaddr.IPv6; text: string };

export type Range = Pick<Address, "family" | "ip"> & { bits: number };

/** Parses only the plain spellings: dotted decimal, or IPv6 without zone or brackets. */
export function parseAddress(text: string): Address | null {
  // Node is strict; ipaddr.js also accepts octal, hexadecimal and shortened IPv4.
  const family = isIP(text);
  if ((family !== 4 && family !== 6) || text.includes("%")) return null;
  if (family === 4) return { family, ip: ipaddr.IPv4.parse(text), text };
  // ipaddr.js mistakes "::1.2.3.4" for "::ffff:1.2.3.4", which is another address.
  return { family, ip: ipaddr.IPv6.parse(text.replace(/^::(?=\d+\.)/, "::0:")), text };
}

/** Parses `address/bits`; host bits below the mask are ignored. */
export function parseRange(text: string): Range | null {
  const [, addressText = "", bitsText = ""] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  const bits = Number(bitsText);
  if (!address || bits > width(address.family)) return null;
  return { family: address.family, ip: address.ip, bits };
}

/** Parses a constant table of ranges; throws on an invalid one. */
export function ranges(...texts: string[]): Range[] {
  return texts.map((text) => {
    const range = parseRange(text);
    if (!range) throw new Error(`not a range: ${text}`);
    return range;
  });
}

export function isIn(address: Address, table: Range[]): boolean {
  return table.some((range) => range.family === address.family && address.ip.match(range.ip, range.bits));
}

export function isSameAddress(one: Address, other: Address): boolean {
  return one.family === other.family && one.ip.match(other.ip, width(one.family));
}

export const width = (family: 4 | 6) => (family === 4 ? 32 : 128);
