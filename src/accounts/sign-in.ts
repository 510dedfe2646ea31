import { AppError } from "#contract/errors.ts";
import { emailKey, findAccountByEmail } from "#storage/accounts.ts";
import { forgetUses } from "#storage/rate-limits.ts";
import type { Deps } from "./deps.ts";
import { callerKey, limitAttempts } from "./limit-attempts.ts";
import { verifyPassword } from "./passwords.ts";
import { openSession } from "./session.ts";
import { resendActivation } from "./sign-up.ts";

const limit = { uses: 10, windowSeconds: 15 * 60 };

/** Signs in and answers the session's token. Known and unknown addresses cost the same time. */
export async function signIn(
  deps: Deps,
  { email, password }: { email: string; password: string },
  ip: string,
): Promise<string> {
  const key = `sign-in:${emailKey(email)}:${callerKey(ip)}`;
  await limitAttempts(deps.db, key, limit, "sign-in attempts");
  const account = await findAccountByEmail(deps.db, email);
  if (!(await verifyPassword(account?.password_hash, password, callerKey(ip))) || !account)
    throw new AppError("LOGIN_FAILED");
  if (!account.activated_at) {
    await resendActivation(deps, account);
    throw new AppError(
      "LOGIN_FAILED",
      "Your account is not activated yet. Open the activation link in your mailbox, then sign in.",
    );
  }
  await forgetUses(deps.db, key);
  return openSession(deps, account.id);
}
