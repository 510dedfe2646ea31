import { type Address, isIn, parseAddress, parseRange, type Range, ranges, width } from "./address.ts";
import { embedsIPv4, isMetadataAddress } from "./public-address.ts";

/** The operator's exceptions to the guard (E8). */
export type EgressAllow = { entries: { range: Range; port: number | null }[]; text: string };

export const noEgressAllow: EgressAllow = { entries: [], text: "" };

/** Parses a comma-separated list of `address:port` and CIDR ranges; throws an error that names a bad entry. */
export function parseEgressAllow(text: string): EgressAllow {
  const texts = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  return { entries: texts.map(parseEntry), text: texts.join(", ") };
}

/** Whether the operator listed this address; metadata addresses and disguised IPv4 addresses never count as listed. */
export function isListed(allow: EgressAllow, address: Address, port: number): boolean {
  if (allow.entries.length === 0 || isMetadataAddress(address) || embedsIPv4(address)) return false;
  return allow.entries.some(
    (entry) => (entry.port === null || entry.port === port) && isIn(address, [entry.range]),
  );
}

const loopback = ranges("127.0.0.0/8", "::1/128");

/** Whether the operator meant this very machine: listed by a single address or loopback, not by a wider range. */
export function isNamed(allow: EgressAllow, address: Address, port: number): boolean {
  const entries = allow.entries.filter(
    ({ range }) =>
      range.bits === width(range.family) ||
      loopback.some(
        ({ family, ip, bits }) => range.family === family && range.bits >= bits && range.ip.match(ip, bits),
      ),
  );
  return isListed({ ...allow, entries }, address, port);
}

function parseEntry(text: string): EgressAllow["entries"][number] {
  const pair = /^(?:\[([^\]]+)\]|([^:[\]/]+)):([1-9]\d{0,4})$/.exec(text);
  const single = pair?.[1] ?? pair?.[2] ?? text.replace(/\/(32|128)$/, "");
  const port = pair ? Number(pair[3]) : null;
  const range = parseRange(pair ? `${single}/${pair[1] ? 128 : 32}` : text);
  if (!range || (port !== null && port > 65_535)) {
    throw new Error(`EGRESS_ALLOW has "${text}", which is neither address:port nor a CIDR range.`);
  }
  const address = range.bits === width(range.family) ? parseAddress(single) : null;
  if (address && isMetadataAddress(address)) {
    throw new Error(`EGRESS_ALLOW may not list "${text}": it is a cloud metadata address.`);
  }
  if (address && embedsIPv4(address)) {
    throw new Error(`EGRESS_ALLOW may not list "${text}": write the IPv4 address it carries.`);
  }
  return { range, port };
}
