import { randomBytes } from "node:crypto";
import { callerKey, limitAttempts } from "#request-limits/limit-attempts.ts";
import { findAccountByEmail, insertAccount, updateAccount } from "#storage/accounts.ts";
import type { Deps } from "./deps.ts";
import { hashPassword } from "./passwords.ts";
import { openSession } from "./session.ts";
import { newBotToken } from "./sign-up.ts";

const email = "demo@watchglass.example";
const limit = { uses: 30, windowSeconds: 15 * 60 };

/** Ensures the account that all visitors of a demo share; nobody knows its password. Returns its id. */
export async function ensureDemoAccount(deps: Deps): Promise<string> {
  const values = { plan_id: "ultimate", email_notifications: false, activated_at: new Date() } as const;
  const created = await insertAccount(deps.db, {
    ...newBotToken(deps),
    ...values,
    email,
    firstname: "Demo",
    surname: "Account",
    password_hash: await hashPassword(randomBytes(32).toString("base64url")),
  });
  const account = created ?? (await findAccountByEmail(deps.db, email));
  if (!account) throw new Error("the demo account disappeared");
  await updateAccount(deps.db, account.id, values);
  return account.id;
}

/** Opens a session of the demo account and returns its token. */
export async function signInToDemo(deps: Deps, accountId: string, ip: string): Promise<string> {
  await limitAttempts(deps.db, `demo:${callerKey(ip)}`, limit, "demo visits");
  return openSession(deps, accountId);
}
