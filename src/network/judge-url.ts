import { type EgressAllow, isListed } from "./egress-allow.ts";
import { type Address, parseAddress } from "./rules/address.ts";
import { isBlockedPort } from "./rules/blocked-ports.ts";
import { isPublic } from "./rules/public-address.ts";

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
  /** The address the host spells, null for a name. */
  address: Address | null;
  /** Set when only listed addresses may be dialled: the name or the port is refused otherwise. */
  unlessListed: RefusalCode | null;
};

export type UrlJudgement = { ok: true; parsed: ParsedUrl } | { ok: false; code: RefusalCode };

const maxLength = 2048;
const refusedCharacter = /[\p{Cc}\s\\]/u;
const refusedZones = /(^|\.)(localhost|local|internal|lan|intranet|home\.arpa|onion)$/;

/** Judges what can be judged of a URL without asking the network (E2-E5, E8). */
export function judgeUrl(text: string, allow: EgressAllow, base?: URL): UrlJudgement {
  const url = parse(text, base);
  if (!url) return { ok: false, code: "URL_INVALID" };
  if (url.protocol !== "http:" && url.protocol !== "https:") return { ok: false, code: "SCHEME" };
  if (url.username !== "" || url.password !== "") return { ok: false, code: "USERINFO" };

  const hostname = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const address = parseAddress(hostname);
  const isRefusedName = !address && (!isDotted(hostname) || refusedZones.test(hostname));
  const unlessListed: RefusalCode | null = isRefusedName ? "NAME" : isBlockedPort(port) ? "PORT" : null;
  if (unlessListed && allow.entries.length === 0) return { ok: false, code: unlessListed };

  const parsed = { url, hostname, port, address, unlessListed };
  const code = address && judgeAddress(parsed, address, allow);
  return code ? { ok: false, code } : { ok: true, parsed };
}

/** Judges one address that the URL's host spells or resolves to; null means that it may be dialled. */
export function judgeAddress(parsed: ParsedUrl, address: Address, allow: EgressAllow): RefusalCode | null {
  if (isListed(allow, address, parsed.port)) return null;
  return parsed.unlessListed ?? (isPublic(address) ? null : "ADDRESS");
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
