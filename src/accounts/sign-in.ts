import { AppError } from "#contract/errors.ts";
import { callerKey, limitAttempts } from "#request-limits/limit-attempts.ts";
import { countUse, resetUses } from "#request-limits/rate-limits.ts";
import { emailKey, findAccountByEmail } from "#storage/accounts.ts";
import { addAuditEntry, type Origin } from "#storage/audit.ts";
import type { Deps } from "./deps.ts";
import { verifyPassword } from "./passwords.ts";
import { openSession } from "./session.ts";
import { resendActivation } from "./sign-up.ts";

const limit = { uses: 10, windowSeconds: 15 * 60 };

/** Signs in and returns the session's token. Known and unknown addresses take the same time. */
export async function signIn(
  deps: Deps,
  { email, password }: { email: string; password: string },
  ip: string,
  origin: Origin = { address: ip },
): Promise<string> {
  const key = `sign-in:${emailKey(email)}:${callerKey(ip)}`;
  await limitAttempts(deps.db, key, limit, "sign-in attempts");
  const account = await findAccountByEmail(deps.db, email);
  if (!(await verifyPassword(account?.password_hash, password, callerKey(ip))) || !account) {
    await noteFailure(deps, account?.id, email, origin);
    throw new AppError("LOGIN_FAILED");
  }
  if (!account.activated_at) {
    await resendActivation(deps, account);
    throw new AppError(
      "LOGIN_FAILED",
      "Your account is not activated yet. Open the activation link in your mailbox, then sign in.",
    );
  }
  await resetUses(deps.db, key);
  const token = await openSession(deps, account.id);
  await addAuditEntry(deps.db, account.id, { action: "signed-in", ...origin });
  return token;
}

const failureLimit = { uses: 20, windowSeconds: 3600 };

/**
 * Adds a failed sign-in to the audit trail, so that the owner sees who tries; the number is limited, so that nobody
 * floods the trail. For an unknown address it writes as much, so that the time doesn't reveal whether it is known.
 */
async function noteFailure(
  { db }: Pick<Deps, "db">,
  accountId: string | undefined,
  email: string,
  origin: Origin,
): Promise<void> {
  const key = `sign-in-noted:${accountId ?? emailKey(email)}`;
  if ((await countUse(db, key, failureLimit)) > 0) return;
  if (accountId) await addAuditEntry(db, accountId, { action: "sign-in-failed", ...origin });
  else await countUse(db, `sign-in-unknown:${emailKey(email)}`, failureLimit);
}
