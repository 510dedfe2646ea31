import type { FastifyReply, FastifyRequest } from "fastify";
import { type KeyHolder, readApiKey } from "#accounts/api-keys.ts";
import { readSession, type Session, sessionDays } from "#accounts/session.ts";
import { AppError } from "#contract/errors.ts";
import type { App } from "../app.ts";

/** Who calls for an account: a person who signed in, or a program with an API key. */
export type Caller = Session | KeyHolder;

const COOKIE = "session";

/** The caller's token. If the Authorization header is present, only that counts; otherwise the cookie. */
export function tokenOf({ headers, cookies }: FastifyRequest): string | undefined {
  const { authorization } = headers;
  return authorization === undefined ? cookies[COOKIE] : /^Bearer ([\w.-]+)$/i.exec(authorization)?.[1];
}

/** Identifies the caller. Writes with a cookie must come from our own pages. */
export async function authenticate(app: App, request: FastifyRequest): Promise<Caller | undefined> {
  const token = tokenOf(request);
  if (request.headers.authorization !== undefined) {
    if (token?.startsWith("wg_")) return readApiKey(app.accounts, token);
    return token ? readSession(app.accounts, token) : undefined;
  }
  const actor = token ? await readSession(app.accounts, token) : undefined;
  if (mayBeForeign(app, request, actor !== undefined)) throw new AppError("FORBIDDEN_ORIGIN");
  return actor;
}

/** Other sites' pages may neither write in a user's name nor sign a visitor in. */
function mayBeForeign(app: App, { method, headers }: FastifyRequest, isSignedIn: boolean): boolean {
  if (method === "GET" || method === "HEAD") return false;
  if (headers["sec-fetch-site"] === "cross-site") return true;
  if (!isSignedIn || headers["sec-fetch-site"] === "same-origin") return false;
  return headers.origin !== new URL(app.config.baseUrl).origin;
}

export function setSessionCookie(app: App, reply: FastifyReply, token: string): void {
  reply.setCookie(COOKIE, token, { ...cookieOptions(app), maxAge: sessionDays * 24 * 3600 });
}

export function clearSessionCookie(app: App, reply: FastifyReply): void {
  reply.clearCookie(COOKIE, cookieOptions(app));
}

/** Browsers keep Secure cookies on https and on localhost; over plain http elsewhere they would drop them. */
function cookieOptions(app: App) {
  const { protocol, hostname } = new URL(app.config.baseUrl);
  const secure = protocol === "https:" || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return { path: "/", httpOnly: true, secure, sameSite: "strict" } as const;
}
