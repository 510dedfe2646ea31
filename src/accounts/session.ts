import { jwtVerify, SignJWT } from "jose";
import type { Actor } from "#contract/actor.ts";
import { findAccount } from "#storage/accounts.ts";
import { endSession, insertSession, isSessionValid } from "#storage/sessions.ts";
import type { Deps } from "./deps.ts";

/** An actor that signed in, and its session. */
export type Session = Actor & { sessionId: string };

export const sessionDays = 7;

const key = (secret: string) => new TextEncoder().encode(secret);

/** Opens a session and returns its token. The session's row can be ended at any time. */
export async function openSession(
  deps: Pick<Deps, "db" | "sessionSecret">,
  accountId: string,
): Promise<string> {
  const sessionId = await insertSession(deps.db, accountId, sessionDays);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(accountId)
    .setIssuedAt()
    .setExpirationTime(`${sessionDays}d`)
    .sign(key(deps.sessionSecret));
}

/** Finds the session of a token; undefined if the token is forged or expired, or the session has ended. */
export async function readSession(
  deps: Pick<Deps, "db" | "sessionSecret">,
  token: string,
): Promise<Session | undefined> {
  const claims = await jwtVerify(token, key(deps.sessionSecret), {
    algorithms: ["HS256"],
    requiredClaims: ["exp"],
  }).catch(() => undefined);
  const accountId = claims?.payload.sub;
  const sessionId = claims?.payload.sid;
  if (!accountId || typeof sessionId !== "string") return undefined;
  return (await isSessionValid(deps.db, sessionId, accountId)) ? { accountId, sessionId } : undefined;
}

export async function signOut(deps: Pick<Deps, "db">, session: Session): Promise<void> {
  await endSession(deps.db, session.sessionId);
}

/** The account of an actor. It must exist, because its sessions end with it. */
export async function accountOf(deps: Pick<Deps, "db">, actor: Actor) {
  const account = await findAccount(deps.db, actor.accountId);
  if (!account) throw new Error("a session stands without its account");
  return account;
}
