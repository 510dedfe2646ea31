import { type Clue, clue } from "../security-findings/clue.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

export type Headers = Snapshot["headers"];
export type Cookie = Snapshot["cookies"][number];

/** Finds protections that the old response had and the new one lacks. */
export function findWeakenedProtections(
  before: Pick<Snapshot, "headers" | "cookies">,
  after: Pick<Snapshot, "headers" | "cookies">,
): Clue[] {
  return [
    ...weakerPolicy(before.headers, after.headers),
    ...weakerTransport(before.headers, after.headers),
    ...droppedHeaders(before.headers, after.headers),
    ...openedOrigins(before.headers, after.headers),
    ...Array.from(weakerCookies(before.cookies, after.cookies), ({ old, lost }) =>
      clue("weaker-cookie", severityOf.cookieProtectionLost, `Cookie ${old.name} lost ${lost}`, 0),
    ),
  ];
}

/** The value of a header, several joined as one; null if the response has none. */
export function headerIn(headers: Headers, name: string): string | null {
  const values = headers.filter(([key]) => key === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(", ");
}

const header = (headers: Headers, name: string) => headerIn(headers, name) ?? "";
const weaker = (severity: Severity, value: string) => clue("weaker-header", severity, value, 0);

function directives(policy: string): Map<string, Set<string>> {
  const parsed = new Map<string, Set<string>>();
  for (const part of policy.split(/[;,]/)) {
    const [name = "", ...sources] = part.trim().toLowerCase().split(/\s+/);
    if (name !== "" && !parsed.has(name)) parsed.set(name, new Set(sources));
  }
  return parsed;
}

const fallbacks = new Map([
  ["script-src-elem", "script-src"],
  ["script-src", "default-src"],
  ["object-src", "default-src"],
  ["frame-src", "default-src"],
  ["connect-src", "default-src"],
]);
const limitingDirectives =
  "script-src object-src frame-src connect-src base-uri form-action frame-ancestors".split(" ");
const looseSources = ["*", "'unsafe-inline'", "'unsafe-eval'", "data:", "http:", "https:", "blob:"];

function sourcesOf(policy: Map<string, Set<string>>, name: string): Set<string> | undefined {
  const own = policy.get(name);
  if (own) return own;
  const parent = fallbacks.get(name);
  return parent ? sourcesOf(policy, parent) : undefined;
}

function* weakerPolicy(before: Headers, after: Headers): Generator<Clue> {
  const name = "content-security-policy";
  const old = header(before, name);
  const now = header(after, name);
  if (old === now || old === "") return;
  if (now === "") {
    const suffix = header(after, `${name}-report-only`) === "" ? "" : ", now only reported";
    yield weaker(severityOf.contentPolicyRemoved, `Content-Security-Policy removed${suffix}`);
    return;
  }
  const oldPolicy = directives(old);
  const newPolicy = directives(now);
  for (const directive of limitingDirectives) {
    const oldSources = sourcesOf(oldPolicy, directive);
    const newSources = sourcesOf(newPolicy, directive);
    if (!oldSources) continue;
    if (!newSources) {
      yield weaker(severityOf.contentPolicyLoosened, `Content-Security-Policy no longer limits ${directive}`);
      continue;
    }
    const opened = looseSources.filter(
      (source) => newSources.has(source) && !oldSources.has(source) && !oldSources.has("*"),
    );
    if (opened.length > 0) {
      const value = `Content-Security-Policy ${directive} now allows ${opened.join(" ")}`;
      yield weaker(severityOf.contentPolicyLoosened, value);
    }
  }
}

function* weakerTransport(before: Headers, after: Headers): Generator<Clue> {
  const old = header(before, "strict-transport-security").toLowerCase();
  const now = header(after, "strict-transport-security").toLowerCase();
  if (old === "" || old === now) return;
  const age = (value: string): number => Number(/max-age\s{0,4}=\s{0,4}"?(\d{1,12})/.exec(value)?.[1] ?? 0);
  if (age(old) > 0 && age(now) === 0) {
    yield weaker(severityOf.strictTransportRemoved, "Strict-Transport-Security removed");
  } else if (age(now) < age(old)) {
    const value = `Strict-Transport-Security max-age ${age(old)} → ${age(now)}`;
    yield weaker(severityOf.strictTransportShortened, value);
  } else if (old.includes("includesubdomains") && !now.includes("includesubdomains")) {
    const value = "Strict-Transport-Security no longer covers subdomains";
    yield weaker(severityOf.strictTransportWithoutSubdomains, value);
  }
}

/** Headers each of which is a protection by being there. */
export const protectiveHeaders = [
  "X-Frame-Options",
  "X-Content-Type-Options",
  "Referrer-Policy",
  "Permissions-Policy",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Embedder-Policy",
  "Cross-Origin-Resource-Policy",
];

function* droppedHeaders(before: Headers, after: Headers): Generator<Clue> {
  const hasFrameAncestors = directives(header(after, "content-security-policy")).has("frame-ancestors");
  for (const name of protectiveHeaders) {
    const isReplaced = name === "X-Frame-Options" && hasFrameAncestors;
    const key = name.toLowerCase();
    if (header(before, key) !== "" && header(after, key) === "" && !isReplaced)
      yield weaker(severityOf.protectiveHeaderRemoved, `${name} removed`);
  }
  const isUnsafe = (headers: Headers) => header(headers, "referrer-policy") === "unsafe-url";
  if (isUnsafe(after) && !isUnsafe(before))
    yield weaker(severityOf.unsafeReferrerPolicy, "Referrer-Policy is now unsafe-url");
}

function* openedOrigins(before: Headers, after: Headers): Generator<Clue> {
  const name = "access-control-allow-origin";
  const now = header(after, name);
  if ((now === "*" || now === "null") && header(before, name) !== now) {
    yield weaker(severityOf.anyOriginAllowed, `Access-Control-Allow-Origin is now ${now}`);
  }
}

// Browsers treat a cookie that doesn't say SameSite as Lax.
const strictness = ["none", "lax", "strict"];
const sameSiteOf = ({ sameSite }: Cookie) => sameSite.toLowerCase() || "lax";

/** The protections that each cookie had and no longer has. */
export function* weakerCookies(
  before: Cookie[],
  after: Cookie[],
): Generator<{ old: Cookie; now: Cookie; lost: string }> {
  for (const now of after) {
    const old = before.find(({ name, domain }) => name === now.name && domain === now.domain);
    if (!old) continue;
    const lost = [
      old.secure && !now.secure ? "Secure" : "",
      old.httpOnly && !now.httpOnly ? "HttpOnly" : "",
      strictness.indexOf(sameSiteOf(now)) < strictness.indexOf(sameSiteOf(old))
        ? `SameSite=${old.sameSite || "Lax"}`
        : "",
    ].filter(Boolean);
    if (lost.length > 0) yield { old, now, lost: lost.join(", ") };
  }
}
