import type { StructureChange } from "./compare-structure.ts";
import { hostOf, registrable } from "./noise/hosts.ts";
import { maskTokens } from "./noise/tokens.ts";
import { maskUrl } from "./noise/urls.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Ignored, NoiseReason, Severity } from "./verdict.ts";

type Answer = Pick<Snapshot, "status" | "finalUrl" | "headers" | "cookies" | "kind" | "contentType">;

const guards = [
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

/** Compares how the server answered: status, where it led, headers, cookies. */
export function compareHeaders(
  older: Answer,
  newer: Answer,
): { changes: StructureChange[]; ignored: Ignored[] } {
  const changes: StructureChange[] = [];
  const add = (
    kind: StructureChange["kind"],
    severity: StructureChange["severity"],
    summary: string,
    before: string | null,
    after: string | null,
  ) => changes.push({ kind, severity, summary, where: "response", before, after });
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
    const strange = registrable(hostOf(older.finalUrl)) !== registrable(hostOf(newer.finalUrl));
    add(
      "redirect",
      strange ? "critical" : "notice",
      `Leads to ${newer.finalUrl}`,
      older.finalUrl,
      newer.finalUrl,
    );
  }
  if (older.kind !== newer.kind) {
    add(
      "content",
      "important",
      `Content is now ${newer.kind}, was ${older.kind}`,
      older.contentType,
      newer.contentType,
    );
  }
  compareGuards(older, newer, add);
  compareRefresh(older, newer, add);
  compareCookies(older, newer, add);
  return {
    changes,
    ignored: [...restOfAddress(older, newer), ...restOfHeaders(older, newer), ...restOfCookies(older, newer)],
  };
}

/** A session or a token in the address it led to. */
function restOfAddress(older: Answer, newer: Answer): Ignored[] {
  const [before, after] = [older.finalUrl, newer.finalUrl];
  if (before === after || maskUrl(before) !== maskUrl(after)) return [];
  return [{ place: "address", before, after, why: "token" }];
}

/** A door that was closed and stands open is what people watch endpoints for. */
function statusSeverity(before: number, after: number): Severity {
  const [old, now] = [Math.floor(before / 100), Math.floor(after / 100)];
  if (old === now) return "notice";
  return old === 4 && now === 2 ? "critical" : "important";
}

type Add = (
  kind: StructureChange["kind"],
  severity: StructureChange["severity"],
  summary: string,
  before: string | null,
  after: string | null,
) => void;

function compareGuards(older: Answer, newer: Answer, add: Add): void {
  // A capture that kept no headers says nothing about them.
  if (older.headers.length === 0 || newer.headers.length === 0) return;
  for (const name of guards) {
    const before = valueOf(older, name);
    const after = valueOf(newer, name);
    if (normalise(name, before) === normalise(name, after)) continue;
    const gone = name === "x-robots-tag" ? "notice" : "important";
    if (after === null) add("header", gone, `Header ${name} is gone`, before, null);
    else if (before === null) add("header", "notice", `New header ${name}`, null, after);
    else add("header", "notice", `Header ${name} changed`, before, after);
  }
}

/** A Refresh header sends the reader on as the meta element does. */
function compareRefresh(older: Answer, newer: Answer, add: Add): void {
  const [before, after] = [valueOf(older, "refresh"), valueOf(newer, "refresh")];
  if (after !== null && before !== after && older.headers.length > 0)
    add("refresh", "critical", `Answer now leads on: ${after.slice(0, 80)}`, before, after);
}

/** Headers that serve the transfer: caches, routing, dates. */
function restOfHeaders(older: Answer, newer: Answer): Ignored[] {
  if (older.headers.length === 0 || newer.headers.length === 0) return [];
  const names = new Set([...older.headers, ...newer.headers].map(([name]) => name));
  const rest: Ignored[] = [];
  for (const name of names) {
    const [before, after] = [valueOf(older, name), valueOf(newer, name)];
    const isTold =
      name === "refresh" || (guards.includes(name) && normalise(name, before) !== normalise(name, after));
    if (before === after || isTold) continue;
    rest.push({ place: `header ${name}`, before, after, why: whyHeader(name, before, after) });
  }
  return rest;
}

function whyHeader(name: string, before: string | null, after: string | null): NoiseReason {
  if (name === "set-cookie") return "visitor";
  if (before === null || after === null) return "transport";
  const isDate = [before, after].every((value) => /\d{2}:\d{2}:\d{2}/.test(value));
  if (isDate) return "time";
  return maskTokens(before) === maskTokens(after) ? "token" : "transport";
}

/** Cookies that came or went, or whose protection grew. */
function restOfCookies(older: Answer, newer: Answer): Ignored[] {
  const keyOf = ({ name, domain }: Answer["cookies"][number]) => `${name} ${domain}`;
  const before = new Map(older.cookies.map((cookie) => [keyOf(cookie), flags(cookie)]));
  const after = new Map(newer.cookies.map((cookie) => [keyOf(cookie), flags(cookie)]));
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => ({
      place: `cookie ${key}`,
      before: before.get(key) ?? null,
      after: after.get(key) ?? null,
      why: "visitor",
    }));
}

function valueOf(answer: Answer, name: string): string | null {
  const values = answer.headers.filter(([header]) => header === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(", ");
}

function normalise(name: string, value: string | null): string | null {
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

function compareCookies(older: Answer, newer: Answer, add: Add): void {
  for (const cookie of newer.cookies) {
    const before = older.cookies.find((old) => old.name === cookie.name && old.domain === cookie.domain);
    if (!before) continue;
    const lost = [
      before.secure && !cookie.secure ? "Secure" : "",
      before.httpOnly && !cookie.httpOnly ? "HttpOnly" : "",
      before.sameSite.toLowerCase() === "strict" && cookie.sameSite.toLowerCase() !== "strict"
        ? "SameSite=Strict"
        : "",
      before.sameSite.toLowerCase() === "lax" && cookie.sameSite.toLowerCase() === "none"
        ? "SameSite=Lax"
        : "",
    ].filter(Boolean);
    if (lost.length > 0)
      add(
        "cookie",
        "important",
        `Cookie ${cookie.name} lost ${lost.join(", ")}`,
        flags(before),
        flags(cookie),
      );
  }
}

function flags(cookie: Answer["cookies"][number]): string {
  return [
    cookie.name,
    cookie.secure ? "Secure" : "",
    cookie.httpOnly ? "HttpOnly" : "",
    cookie.sameSite ? `SameSite=${cookie.sameSite}` : "",
  ]
    .filter(Boolean)
    .join("; ");
}
