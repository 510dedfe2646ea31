import type { StructureChange } from "../html-comparison/structure-change.ts";
import { maskTokens } from "../noise/tokens.ts";
import { maskUrl } from "../noise/urls.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { hostOf, registrable } from "../third-party-hosts/hosts.ts";
import type { Ignored } from "../verdict/verdict.ts";
import {
  type Cookie,
  type Headers,
  headerIn,
  protectiveHeaders,
  weakerCookies,
} from "./weakened-protections.ts";

type HttpResponse = Pick<Snapshot, "status" | "finalUrl" | "headers" | "cookies" | "kind" | "contentType">;
type Compared = { changes: StructureChange[]; ignored: Ignored[] };

const securityHeaders = [
  "content-security-policy",
  "strict-transport-security",
  ...protectiveHeaders.map((name) => name.toLowerCase()),
  "access-control-allow-origin",
  "access-control-allow-credentials",
  "x-robots-tag",
];

/** Compares the server's responses: status, final URL, headers and cookies. */
export function compareHeaders(older: HttpResponse, newer: HttpResponse): Compared {
  const changes: StructureChange[] = [];
  const ignored: Ignored[] = [];
  const add: Add = (kind, severity, summary, before, after) =>
    changes.push({ kind, severity, summary, where: "response", before, after });
  const [old, now] = [older.status, newer.status];
  if (old !== now && old > 0 && now > 0)
    add("status", statusSeverity(old, now), `Status ${old} → ${now}`, String(old), String(now));
  const [from, to] = [older.finalUrl, newer.finalUrl];
  if (maskUrl(from) === maskUrl(to)) {
    if (from !== to)
      ignored.push({ place: "address", before: from, after: to, why: decidedBy("token.address") });
  } else if (from !== "" && to !== "") {
    const isOtherSite = registrable(hostOf(from)) !== registrable(hostOf(to));
    const severity = isOtherSite ? severityOf.redirectToOtherSite : severityOf.redirectWithinSite;
    add("redirect", severity, `Leads to ${to}`, from, to);
  }
  if (older.kind !== newer.kind) {
    const summary = `Content is now ${newer.kind}, was ${older.kind}`;
    add("content", severityOf.contentKindChanged, summary, older.contentType, newer.contentType);
  }
  compareFields(older.headers, newer.headers, add, ignored);
  compareCookies(older.cookies, newer.cookies, add, ignored);
  return { changes, ignored };
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

/** Compares each header; those that protect nothing only serve the transfer: caches, routing, dates. */
function compareFields(older: Headers, newer: Headers, add: Add, ignored: Ignored[]): void {
  // A capture without stored headers proves nothing about them.
  if (older.length === 0 || newer.length === 0) return;
  const names = [...older, ...newer].map(([name]) => name);
  for (const name of new Set([...securityHeaders, ...names])) {
    const [before, after] = [headerIn(older, name), headerIn(newer, name)];
    if (before === after) continue;
    // A Refresh header redirects the reader like the meta element does.
    if (name === "refresh" && after !== null)
      add(
        "refresh",
        severityOf.refreshHeaderChanged,
        `Answer now leads on: ${after.slice(0, 80)}`,
        before,
        after,
      );
    else if (securityHeaders.includes(name) && normalize(name, before) !== normalize(name, after))
      add("header", ...describeField(name, before, after), before, after);
    else ignored.push({ place: `header ${name}`, before, after, why: decidedBy("transport.header") });
  }
}

function describeField(name: string, before: string | null, after: string | null): [Severity, string] {
  if (before === null) return [severityOf.securityHeaderAdded, `New header ${name}`];
  if (after !== null) return [severityOf.securityHeaderChanged, `Header ${name} changed`];
  const isRobots = name === "x-robots-tag";
  return [
    isRobots ? severityOf.robotsHeaderRemoved : severityOf.securityHeaderRemoved,
    `Header ${name} is gone`,
  ];
}

/** Reports cookies that lost a protection, and lists all that were added or removed or whose flags changed. */
function compareCookies(older: Cookie[], newer: Cookie[], add: Add, ignored: Ignored[]): void {
  for (const { old, now, lost } of weakerCookies(older, newer))
    add("cookie", severityOf.cookieProtectionLost, `Cookie ${now.name} lost ${lost}`, flags(old), flags(now));
  const keyOf = ({ name, domain }: Cookie) => `${name} ${domain}`;
  const [old, now] = [older, newer].map(
    (cookies) => new Map(cookies.map((cookie) => [keyOf(cookie), flags(cookie)])),
  );
  for (const key of new Set([...older, ...newer].map(keyOf))) {
    const [before, after] = [old?.get(key) ?? null, now?.get(key) ?? null];
    if (before !== after)
      ignored.push({ place: `cookie ${key}`, before, after, why: decidedBy("visitor.cookie") });
  }
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

function flags(cookie: Cookie): string {
  return [
    cookie.name,
    cookie.secure ? "Secure" : "",
    cookie.httpOnly ? "HttpOnly" : "",
    cookie.sameSite ? `SameSite=${cookie.sameSite}` : "",
  ]
    .filter(Boolean)
    .join("; ");
}
