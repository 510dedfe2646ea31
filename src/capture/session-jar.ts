import type { SessionProof } from "#contract/session-proof.ts";

export type JarCookie = {
  name: string;
  value: string;
  /** With a leading dot, subdomains get it too. */
  domain: string;
  path: string;
  /** In seconds since 1970; a cookie without it ends with the session. */
  expires?: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite?: "Strict" | "Lax" | "None";
};

/** A value of IndexedDB, in which objects, dates and bytes are marked so that they can be told apart. */
type StoredValue = unknown;
type StoredIndex = { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean };
type StoredDatabase = {
  name: string;
  version: number;
  stores: {
    name: string;
    keyPath: string | string[] | null;
    autoIncrement: boolean;
    indexes: StoredIndex[];
    records: [key: StoredValue, value: StoredValue][];
  }[];
};

/** What pages of one origin stored in the browser. */
export type StoredOrigin = {
  origin: string;
  local: [name: string, value: string][];
  session: [name: string, value: string][];
  databases: StoredDatabase[];
};

/** All that makes a browser signed in. */
export type SessionJar = { cookies: JarCookie[]; origins: StoredOrigin[] };

export const emptyJar: SessionJar = { cookies: [], origins: [] };

/** The session in which a page is captured. */
export type SessionRequest = {
  identityId: string | null;
  jar: SessionJar;
  /** Null while a proof is looked for. */
  proof: SessionProof | null;
  /** Where the session is valid: only what belongs to these origins is kept. */
  origins: readonly string[];
  /** Where signing in begins. */
  signInUrl: string;
  /** The steps sign in, instead of preparing a page for its capture. */
  isSignIn?: boolean;
  /** A sketch of what only the page where signing in begins shows. */
  signInSketch?: number[] | null;
};

/** Why a page isn't shown to somebody who is signed in. */
export type SignedOut = {
  reason: string;
  /** Not only the proof is missing: the site asks for a sign-in. */
  isCertain: boolean;
};

/** The session after a capture: the jar if the page was captured, or why it isn't one of somebody signed in. */
export type SessionResult = {
  jar?: SessionJar;
  signedOut?: SignedOut;
  /** Of what only the page where signing in began showed. */
  signInSketch?: number[];
};

/** Whether a cookie is sent to one of the origins. */
export function belongsTo(domain: string, origins: readonly string[]): boolean {
  const bare = domain.replace(/^\./, "");
  return origins.some((origin) => {
    const { hostname } = new URL(origin);
    return hostname === bare || (hostname.endsWith(`.${bare}`) && bare.includes("."));
  });
}

const leastToken = 16;
const leastHidden = 8;
const mostTokens = 60;

/**
 * The values of a jar that let whoever reads them into the session: cookies that scripts can't read, and what looks
 * random. A language, a path or the name of a file isn't, and stays readable in captures.
 */
export function tokensOf({ cookies, origins }: SessionJar): string[] {
  const hidden = cookies.filter(({ httpOnly, value }) => httpOnly && value.length >= leastHidden);
  const stored = origins.flatMap(({ local, session, databases }) => [
    ...[...local, ...session].map(([, value]) => value),
    ...databases.flatMap(({ stores }) =>
      stores.flatMap(({ records }) => records.map((record) => JSON.stringify(record))),
    ),
  ]);
  const values = [...cookies.map(({ value }) => value), ...stored];
  const random = values.flatMap((value) => value.match(/[\w.~+/=%-]+/g) ?? []).filter(isToken);
  const tokens = new Set([...hidden.map(({ value }) => value), ...random]);
  return [...tokens].toSorted((a, b) => b.length - a.length).slice(0, mostTokens);
}

function isToken(part: string): boolean {
  if (part.length < leastToken || !/\d/.test(part) || !/[a-z]/i.test(part)) return false;
  if (/^\d{4}-\d\d-\d\dT/.test(part)) return false;
  // Paths, hosts and file names have these characters too.
  const isPlain = !/[/.]/.test(part);
  return (
    isPlain || (part.length >= 24 && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d.*\d.*\d/.test(part))
  );
}
