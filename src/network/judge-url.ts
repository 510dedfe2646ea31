import { type Address, parseAddress } from "./address-rules/address.ts";
import { isBlockedPort } from "./address-rules/blocked-ports.ts";
import { type EgressAllow, isListed } from "./address-rules/egress-allow.ts";
import { isPublicAddress } from "./address-rules/public-address.ts";

/** Why the guard refused. For logs and egress-check only: users see one sentence for all (E11). */
export type RefusalCode =
  | "URL_INVALID"
  | "SCHEME"
  | "USERINFO"
  | "PORT"
  | "NAME"
  | "ADDRESS"
  | "RESOLVE"
  | "REDIRECTS"
  | "HEADER";

export type ParsedUrl = {
  url: URL;
  /** Without brackets and without a final dot. */
  hostname: string;
  port: number;
  /** The address if the host is one, null for a name. */
  address: Address | null;
  /** Why the name or port is refused for all but listed addresses; null if neither is. */
  refusalUnlessListed: RefusalCode | null;
};

export type UrlJudgement = { ok: true; parsed: ParsedUrl } | { ok: false; code: RefusalCode };

const maxLength = 2048;
const refusedCharacter = /[\p{Cc}\s\\]/u;
const refusedZones = /(^|\.)(localhost|local|internal|lan|intranet|home\.arpa|onion)$/;

/** Judges a URL as far as possible without the network (E2-E5, E8). */
export function judgeUrl(text: string, allow: EgressAllow, base?: URL): UrlJudgement {
  const url = parse(text, base);
  if (!url) return { ok: false, code: "URL_INVALID" };
  if (url.protocol !== "http:" && url.protocol !== "https:") return { ok: false, code: "SCHEME" };
  if (url.username !== "" || url.password !== "") return { ok: false, code: "USERINFO" };

  const hostname = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const address = parseAddress(hostname);
  const isRefusedName = !address && (!isDotted(hostname) || refusedZones.test(hostname));
  const refusalUnlessListed: RefusalCode | null = isRefusedName
    ? "NAME"
    : isBlockedPort(port)
      ? "PORT"
      : null;
  if (refusalUnlessListed && allow.entries.length === 0) return { ok: false, code: refusalUnlessListed };

  const parsed = { url, hostname, port, address, refusalUnlessListed };
  const code = address && judgeAddress(parsed, address, allow);
  return code ? { ok: false, code } : { ok: true, parsed };
}

/** Judges one address that the URL's host is or resolves to; null means that it may be dialed. */
export function judgeAddress(parsed: ParsedUrl, address: Address, allow: EgressAllow): RefusalCode | null {
  if (isListed(allow, address, parsed.port)) return null;
  return parsed.refusalUnlessListed ?? (isPublicAddress(address) ? null : "ADDRESS");
}

function parse(text: string, base: URL | undefined): URL | null {
  if (text.length > maxLength) return null;
  const trimmed = text.replace(/^ +| +$/g, "");
  if (refusedCharacter.test(trimmed)) return null;
  const url = URL.parse(trimmed, base?.href);
  return url && base && url.href.length > maxLength ? null : url;
}

function isDotted(name: string): boolean {
  const labels = name.split(".");
  return labels.length > 1 && !labels.includes("");
}
