import type { Snapshot } from "../snapshot.ts";
import { type Clue, shorten } from "./clue.ts";

type Headers = Snapshot["headers"];

/** Protections the old answer gave and the new one does not. */
export function findWeaker(
  before: Pick<Snapshot, "headers" | "cookies">,
  after: Pick<Snapshot, "headers" | "cookies">,
): Clue[] {
  return [
    ...weakerPolicy(before.headers, after.headers),
    ...weakerTransport(before.headers, after.headers),
    ...droppedHeaders(before.headers, after.headers),
    ...openedOrigins(before.headers, after.headers),
    ...weakerCookies(before.cookies, after.cookies),
  ];
}

function header(headers: Headers, name: string): string {
  return headers
    .filter(([key]) => key === name)
    .map(([, value]) => value)
    .join(", ");
}

function clue(
  value: string,
  severity: Clue["severity"] = "important",
  kind: Clue["kind"] = "weaker-header",
): Clue {
  return { kind, severity, value: shorten(value), key: value, at: 0 };
}

function directives(policy: string): Map<string, Set<string>> {
  const parsed = new Map<string, Set<string>>();
  for (const part of policy.split(/[;,]/)) {
    const [name = "", ...sources] = part.trim().toLowerCase().split(/\s+/);
    if (name !== "" && !parsed.has(name)) parsed.set(name, new Set(sources));
  }
  return parsed;
}

const falls = new Map([
  ["script-src-elem", "script-src"],
  ["script-src", "default-src"],
  ["object-src", "default-src"],
  ["frame-src", "default-src"],
  ["connect-src", "default-src"],
]);
const loose = ["*", "'unsafe-inline'", "'unsafe-eval'", "data:", "http:", "https:", "blob:"];

function sourcesOf(policy: Map<string, Set<string>>, name: string): Set<string> | undefined {
  const own = policy.get(name);
  if (own) return own;
  const parent = falls.get(name);
  return parent ? sourcesOf(policy, parent) : undefined;
}

function* weakerPolicy(before: Headers, after: Headers): Generator<Clue> {
  const name = "content-security-policy";
  const old = header(before, name);
  const now = header(after, name);
  if (old === now || old === "") return;
  if (now === "") {
    const only = header(after, `${name}-report-only`) === "" ? "" : ", now only reported";
    yield clue(`Content-Security-Policy removed${only}`);
    return;
  }
  const was = directives(old);
  const is = directives(now);
  for (const directive of [
    "script-src",
    "object-src",
    "frame-src",
    "connect-src",
    "base-uri",
    "form-action",
    "frame-ancestors",
  ]) {
    const had = sourcesOf(was, directive);
    const has = sourcesOf(is, directive);
    if (!had) continue;
    if (!has) {
      yield clue(`Content-Security-Policy no longer limits ${directive}`);
      continue;
    }
    const opened = loose.filter((source) => has.has(source) && !had.has(source) && !had.has("*"));
    if (opened.length > 0) yield clue(`Content-Security-Policy ${directive} now allows ${opened.join(" ")}`);
  }
}

function* weakerTransport(before: Headers, after: Headers): Generator<Clue> {
  const old = header(before, "strict-transport-security").toLowerCase();
  const now = header(after, "strict-transport-security").toLowerCase();
  if (old === "" || old === now) return;
  const age = (value: string): number => Number(/max-age\s{0,4}=\s{0,4}"?(\d{1,12})/.exec(value)?.[1] ?? 0);
  if (age(old) > 0 && age(now) === 0) yield clue("Strict-Transport-Security removed");
  else if (age(now) < age(old))
    yield clue(`Strict-Transport-Security max-age ${age(old)} → ${age(now)}`, "notice");
  else if (old.includes("includesubdomains") && !now.includes("includesubdomains")) {
    yield clue("Strict-Transport-Security no longer covers subdomains", "notice");
  }
}

function* droppedHeaders(before: Headers, after: Headers): Generator<Clue> {
  const framed = directives(header(after, "content-security-policy")).has("frame-ancestors");
  const kept = {
    "X-Frame-Options": framed,
    "X-Content-Type-Options": false,
    "Referrer-Policy": false,
    "Permissions-Policy": false,
    "Cross-Origin-Opener-Policy": false,
    "Cross-Origin-Resource-Policy": false,
    "Cross-Origin-Embedder-Policy": false,
  };
  for (const [name, replaced] of Object.entries(kept)) {
    const key = name.toLowerCase();
    if (header(before, key) !== "" && header(after, key) === "" && !replaced)
      yield clue(`${name} removed`, "notice");
  }
  if (
    header(before, "referrer-policy") !== "unsafe-url" &&
    header(after, "referrer-policy") === "unsafe-url"
  ) {
    yield clue("Referrer-Policy is now unsafe-url", "notice");
  }
}

function* openedOrigins(before: Headers, after: Headers): Generator<Clue> {
  const name = "access-control-allow-origin";
  const now = header(after, name);
  if ((now === "*" || now === "null") && header(before, name) !== now) {
    yield clue(`Access-Control-Allow-Origin is now ${now}`, "notice");
  }
}

const strictness = ["none", "", "lax", "strict"];

function* weakerCookies(before: Snapshot["cookies"], after: Snapshot["cookies"]): Generator<Clue> {
  for (const old of before) {
    const now = after.find((cookie) => cookie.name === old.name && cookie.domain === old.domain);
    if (!now) continue;
    const lost: string[] = [];
    if (old.secure && !now.secure) lost.push("Secure");
    if (old.httpOnly && !now.httpOnly) lost.push("HttpOnly");
    const site = (cookie: typeof old): number => strictness.indexOf(cookie.sameSite.toLowerCase());
    if (site(now) < site(old)) lost.push(`SameSite=${old.sameSite}`);
    if (lost.length > 0)
      yield clue(`Cookie ${old.name} lost ${lost.join(", ")}`, "important", "weaker-cookie");
  }
}
