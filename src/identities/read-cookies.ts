import { z } from "zod";
import { belongsTo, type JarCookie, type SessionJar, type StoredOrigin } from "#capture/session-jar.ts";
import { AppError } from "#contract/errors.ts";

/** A session that a user pasted, with what should be known about it. */
type PastedSession = { jar: SessionJar; notes: string[] };

const maxCookies = 300;
const text = z.string().max(8192);
const sameSites: Record<string, JarCookie["sameSite"]> = {
  strict: "Strict",
  lax: "Lax",
  none: "None",
  no_restriction: "None",
};

/** A cookie of Playwright’s storageState, or as browser extensions export them. */
const ExportedCookie = z
  .object({
    name: text.min(1),
    value: text,
    domain: text.min(1),
    path: text.default("/"),
    expires: z.number().optional(),
    expirationDate: z.number().optional(),
    httpOnly: z.boolean().default(false),
    secure: z.boolean().default(false),
    sameSite: z.string().nullish(),
  })
  .transform(({ expires, expirationDate, sameSite, ...cookie }): JarCookie => {
    const end = expires ?? expirationDate ?? -1;
    const known = sameSites[sameSite?.toLowerCase() ?? ""];
    return { ...cookie, ...(end > 0 && { expires: end }), ...(known && { sameSite: known }) };
  });
const State = z.object({
  cookies: z.array(ExportedCookie).default([]),
  origins: z
    .array(
      z.object({ origin: text, localStorage: z.array(z.object({ name: z.string(), value: z.string() })) }),
    )
    .default([]),
});

/** Reads a pasted session: cookies.txt, storageState or a list of cookies as JSON, or a Cookie header. */
export function readCookies(pasted: string, origins: readonly string[], now = Date.now()): PastedSession {
  const { jar, notes } = readFormat(pasted.trim(), origins);
  const own = jar.cookies.filter(({ domain }) => belongsTo(domain, origins));
  const cookies = own
    .filter(({ expires }) => expires === undefined || expires * 1000 > now)
    .slice(0, maxCookies);
  const stored = jar.origins.filter(({ origin }) => origins.includes(origin));
  if (cookies.length === 0 && stored.length === 0)
    throw refuse(
      own.length > 0
        ? "All of these cookies have expired. Sign in again and copy them anew."
        : `There are no cookies of ${origins.join(" or ")} in it.`,
    );
  const others = jar.cookies.length - own.length;
  const expired = own.length - cookies.length;
  return {
    jar: { cookies, origins: stored },
    notes: [
      ...notes,
      ...(others > 0 ? [`${others} ${others === 1 ? "cookie" : "cookies"} of other sites left out.`] : []),
      ...(expired > 0 ? [`${expired} expired ${expired === 1 ? "cookie" : "cookies"} left out.`] : []),
    ],
  };
}

function readFormat(pasted: string, origins: readonly string[]): PastedSession {
  if (/^[[{]/.test(pasted)) return { jar: readJson(pasted), notes: [] };
  const lines = pasted.split(/\r?\n/);
  if (lines.some((line) => line.split("\t").length >= 7))
    return { jar: { cookies: lines.flatMap(readNetscapeLine), origins: [] }, notes: [cookiesOnly] };
  return { jar: { cookies: readHeader(pasted, origins), origins: [] }, notes: [headerLimits] };
}

const cookiesOnly =
  "A cookies.txt file has no local storage: a site that keeps its session there needs a storageState or steps.";
const headerLimits =
  "A Cookie header says neither how long cookies last nor for which paths and subdomains they are, so they are sent to the identity’s sites only, and local storage isn’t in it.";

function readJson(pasted: string): SessionJar {
  let json: unknown;
  try {
    json = JSON.parse(pasted);
  } catch {
    throw refuse("This looks like JSON, but it can’t be read.");
  }
  const state = State.safeParse(Array.isArray(json) ? { cookies: json } : json);
  if (!state.success) throw refuse("This JSON is neither a storageState nor a list of cookies.");
  const origins = state.data.origins.map(
    ({ origin, localStorage }): StoredOrigin => ({
      origin,
      local: localStorage.map(({ name, value }) => [name, value]),
      session: [],
      databases: [],
    }),
  );
  return { cookies: state.data.cookies, origins };
}

const httpOnlyMark = "#HttpOnly_";

/** One line of a cookies.txt: domain, whether subdomains get it, path, secure, end in seconds, name, value. */
function readNetscapeLine(line: string): JarCookie[] {
  const httpOnly = line.startsWith(httpOnlyMark);
  if (line.startsWith("#") && !httpOnly) return [];
  const fields = line.slice(httpOnly ? httpOnlyMark.length : 0).split("\t");
  const [domain = "", subdomains = "", path = "/", secure = "", end = "", name = "", ...value] = fields;
  if (domain === "" || name === "" || value.length === 0) return [];
  const bare = domain.replace(/^\./, "");
  const expires = Number(end);
  return [
    {
      name,
      value: value.join("\t"),
      domain: subdomains.toUpperCase() === "TRUE" ? `.${bare}` : bare,
      path,
      ...(expires > 0 && { expires }),
      httpOnly,
      secure: secure.toUpperCase() === "TRUE",
    },
  ];
}

function readHeader(pasted: string, origins: readonly string[]): JarCookie[] {
  const pairs = pasted
    .replace(/^cookie\s*:/i, "")
    .split(/;|\r?\n/)
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
  return pairs.flatMap((pair) => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (at < 1 || !/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw refuse("This is neither a cookies.txt, nor a storageState, nor a Cookie header.");
    const value = pair.slice(at + 1).trim();
    return origins.map((origin): JarCookie => {
      const { hostname, protocol } = new URL(origin);
      return { name, value, domain: hostname, path: "/", httpOnly: false, secure: protocol === "https:" };
    });
  });
}

const refuse = (message: string) => new AppError("INVALID_INPUT", message, { field: "cookies" });
