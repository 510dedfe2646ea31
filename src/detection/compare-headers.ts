import type { StructureChange } from "./compare-structure.ts";
import { hostOf, registrable } from "./noise/hosts.ts";
import { maskTokens } from "./noise/tokens.ts";
import { maskUrl } from "./noise/urls.ts";
import type { Snapshot } from "./snapshot.ts";

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
];

/** Compares how the server answered: status, where it led, security headers, flags of cookies. */
export function compareHeaders(older: Answer, newer: Answer): StructureChange[] {
  const changes: StructureChange[] = [];
  const add = (
    kind: StructureChange["kind"],
    severity: StructureChange["severity"],
    summary: string,
    before: string | null,
    after: string | null,
  ) => changes.push({ kind, severity, summary, where: "response", before, after });
  if (older.status !== newer.status && older.status > 0 && newer.status > 0) {
    const sameClass = Math.floor(older.status / 100) === Math.floor(newer.status / 100);
    add(
      "status",
      sameClass ? "notice" : "important",
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
  compareCookies(older, newer, add);
  return changes;
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
    if (after === null) add("header", "important", `Header ${name} is gone`, before, null);
    else if (before === null) add("header", "notice", `New header ${name}`, null, after);
    else add("header", "notice", `Header ${name} changed`, before, after);
  }
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
