import type { StructureChange } from "../html-comparison/compare-structure.ts";
import { maskTokens } from "../noise/tokens.ts";
import { maskUrl } from "../noise/urls.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { addressToken, cookieRow, transportHeader } from "../noise-rules/response-rules.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { hostOf, registrable } from "../third-party-hosts/hosts.ts";
import type { Ignored } from "../verdict/verdict.ts";
import { weakerCookies } from "./weakened-protections.ts";

type HttpResponse = Pick<Snapshot, "status" | "finalUrl" | "headers" | "cookies" | "kind" | "contentType">;

const securityHeaders = [
  "content-security-policy",
  "strict-transport-security",
  "x-frame-options",
  "x-content-type-options",
  "referrer-policy",
  "permissions-policy",
  "cross-origin-opener-policy",
  "cross-origin-embedder-policy",
  "cross-origin-resource-policy",
  "access-control-allow-origin",
  "access-control-allow-credentials",
  "x-robots-tag",
];

/** Compares the server's responses: status, final URL, headers and cookies. */
export function compareHeaders(
  older: HttpResponse,
  newer: HttpResponse,
): { changes: StructureChange[]; ignored: Ignored[] } {
  const changes: StructureChange[] = [];
  const add: Add = (kind, severity, summary, before, after) =>
    changes.push({ kind, severity, summary, where: "response", before, after });
  if (older.status !== newer.status && older.status > 0 && newer.status > 0) {
    add(
      "status",
      statusSeverity(older.status, newer.status),
      `Status ${older.status} → ${newer.status}`,
      String(older.status),
      String(newer.status),
    );
  }
  if (maskUrl(older.finalUrl) !== maskUrl(newer.finalUrl) && older.finalUrl !== "" && newer.finalUrl !== "") {
    const isOtherSite = registrable(hostOf(older.finalUrl)) !== registrable(hostOf(newer.finalUrl));
    add(
      "redirect",
      isOtherSite ? severityOf.redirectToOtherSite : severityOf.redirectWithinSite,
      `Leads to ${newer.finalUrl}`,
      older.finalUrl,
      newer.finalUrl,
    );
  }
  if (older.kind !== newer.kind) {
    add(
      "content",
      severityOf.contentKindChanged,
      `Content is now ${newer.kind}, was ${older.kind}`,
      older.contentType,
      newer.contentType,
    );
  }
  compareSecurityHeaders(older, newer, add);
  compareRefresh(older, newer, add);
  compareCookies(older, newer, add);
  return {
    changes,
    ignored: [
      ...listIgnoredUrl(older, newer),
      ...listIgnoredHeaders(older, newer),
      ...listIgnoredCookies(older, newer),
    ],
  };
}

/** Lists a final URL that differs only in a session or a token. */
function listIgnoredUrl(older: HttpResponse, newer: HttpResponse): Ignored[] {
  const [before, after] = [older.finalUrl, newer.finalUrl];
  if (before === after || maskUrl(before) !== maskUrl(after)) return [];
  return [{ place: "address", before, after, why: decidedBy(addressToken) }];
}

/** People watch endpoints for access that was denied (4xx) and is now granted (2xx). */
function statusSeverity(before: number, after: number): Severity {
  const [old, now] = [Math.floor(before / 100), Math.floor(after / 100)];
  if (old === now) return severityOf.statusChanged;
  return old === 4 && now === 2 ? severityOf.accessGranted : severityOf.statusClassChanged;
}

type Add = (
  kind: StructureChange["kind"],
  severity: Severity,
  summary: string,
  before: string | null,
  after: string | null,
) => void;

function compareSecurityHeaders(older: HttpResponse, newer: HttpResponse, add: Add): void {
  // A capture without stored headers proves nothing about them.
  if (older.headers.length === 0 || newer.headers.length === 0) return;
  for (const name of securityHeaders) {
    const before = valueOf(older, name);
    const after = valueOf(newer, name);
    if (normalize(name, before) === normalize(name, after)) continue;
    const removalSeverity =
      name === "x-robots-tag" ? severityOf.robotsHeaderRemoved : severityOf.securityHeaderRemoved;
    if (after === null) add("header", removalSeverity, `Header ${name} is gone`, before, null);
    else if (before === null)
      add("header", severityOf.securityHeaderAdded, `New header ${name}`, null, after);
    else add("header", severityOf.securityHeaderChanged, `Header ${name} changed`, before, after);
  }
}

/** A Refresh header redirects the reader like the meta element does. */
function compareRefresh(older: HttpResponse, newer: HttpResponse, add: Add): void {
  const [before, after] = [valueOf(older, "refresh"), valueOf(newer, "refresh")];
  if (after !== null && before !== after && older.headers.length > 0)
    add(
      "refresh",
      severityOf.refreshHeaderChanged,
      `Answer now leads on: ${after.slice(0, 80)}`,
      before,
      after,
    );
}

/** Lists changed headers that only serve the transfer: caches, routing, dates. */
function listIgnoredHeaders(older: HttpResponse, newer: HttpResponse): Ignored[] {
  if (older.headers.length === 0 || newer.headers.length === 0) return [];
  const names = new Set([...older.headers, ...newer.headers].map(([name]) => name));
  const ignored: Ignored[] = [];
  for (const name of names) {
    const [before, after] = [valueOf(older, name), valueOf(newer, name)];
    const isReported =
      name === "refresh" ||
      (securityHeaders.includes(name) && normalize(name, before) !== normalize(name, after));
    if (before === after || isReported) continue;
    ignored.push({
      place: `header ${name}`,
      before,
      after,
      why: decidedBy(transportHeader),
    });
  }
  return ignored;
}

/** Lists cookies that were added or removed, or whose flags changed. */
function listIgnoredCookies(older: HttpResponse, newer: HttpResponse): Ignored[] {
  const keyOf = ({ name, domain }: HttpResponse["cookies"][number]) => `${name} ${domain}`;
  const before = new Map(older.cookies.map((cookie) => [keyOf(cookie), flags(cookie)]));
  const after = new Map(newer.cookies.map((cookie) => [keyOf(cookie), flags(cookie)]));
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => ({
      place: `cookie ${key}`,
      before: before.get(key) ?? null,
      after: after.get(key) ?? null,
      why: decidedBy(cookieRow),
    }));
}

function valueOf(response: HttpResponse, name: string): string | null {
  const values = response.headers.filter(([header]) => header === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(", ");
}

function normalize(name: string, value: string | null): string | null {
  if (value === null) return null;
  if (name === "access-control-allow-origin" || name === "strict-transport-security")
    return value.trim().toLowerCase();
  return value
    .toLowerCase()
    .replace(/'nonce-[^']*'/g, "'nonce'")
    .replace(/'sha(256|384|512)-[^']*'/g, "'hash'")
    .split(/[;,]/)
    .map((part) => [...new Set(maskTokens(part).trim().split(/\s+/))].sort().join(" "))
    .filter((part) => part !== "" && !/report-(uri|to)/.test(part))
    .sort()
    .join("; ");
}

function compareCookies(older: HttpResponse, newer: HttpResponse, add: Add): void {
  for (const { old, now, lost } of weakerCookies(older.cookies, newer.cookies))
    add("cookie", severityOf.cookieProtectionLost, `Cookie ${now.name} lost ${lost}`, flags(old), flags(now));
}

function flags(cookie: HttpResponse["cookies"][number]): string {
  return [
    cookie.name,
    cookie.secure ? "Secure" : "",
    cookie.httpOnly ? "HttpOnly" : "",
    cookie.sameSite ? `SameSite=${cookie.sameSite}` : "",
  ]
    .filter(Boolean)
    .join("; ");
}
