import { AppError } from "#contract/errors.ts";
import { issueToken, redeemToken, tokenStands } from "#storage/account-tokens.ts";
import {
  activateAccount,
  emailKey,
  findAccount,
  findAccountByEmail,
  updateAccount,
} from "#storage/accounts.ts";
import { addAuditEntry, type Origin } from "#storage/audit.ts";
import { endSessionsOf } from "#storage/sessions.ts";
import type { Deps } from "./deps.ts";
import { callerKey, limitAttempts } from "./limit-attempts.ts";
import { passwordChangedMail, recoveryMail } from "./mail-templates.ts";
import { hashPassword } from "./passwords.ts";
import { sendMail } from "./send-mail.ts";

const perAddress = { uses: 5, windowSeconds: 3600 };
const perCaller = { uses: 20, windowSeconds: 3600 };
const CONTEXT = "task:recover";

/** Accepts a recovery request. The address is looked up by a task, so known and unknown ones look alike. */
export async function requestRecovery(deps: Deps, email: string, ip: string): Promise<void> {
  await limitAttempts(deps.db, `recover-from:${callerKey(ip)}`, perCaller, "recovery requests from here");
  await limitAttempts(
    deps.db,
    `recover:${emailKey(email)}`,
    perAddress,
    "recovery requests for this address",
  );
  await deps.queue.send(deps.db, "recover", { sealed: deps.secrets.seal(email, CONTEXT) });
}

export async function sendRecoveryLink(deps: Deps, sealed: string): Promise<void> {
  const email = deps.secrets.open(sealed, CONTEXT);
  await deps.db.transaction().execute(async (tx) => {
    const account = await findAccountByEmail(tx, email);
    if (!account) return;
    const token = await issueToken(tx, account.id, "recovery");
    const name = account.activated_at ? account.firstname : null;
    await sendMail(deps, tx, { to: account.email, ...recoveryMail(deps.baseUrl, name, token) });
  });
}

/** Sets a new password by a mailed token and ends every session. The link also proves the address. */
export async function resetPassword(
  deps: Deps,
  token: string,
  newPassword: string,
  origin: Origin = {},
): Promise<void> {
  // Before the hash, which is dear: guesses must not cost more than they look.
  if (!(await tokenStands(deps.db, token, "recovery"))) throw new AppError("PASSWORD_RESET_FAILED");
  const password_hash = await hashPassword(newPassword);
  await deps.db.transaction().execute(async (tx) => {
    const redeemed = await redeemToken(tx, token, "recovery");
    const account = redeemed && (await findAccount(tx, redeemed.accountId));
    if (!account) throw new AppError("PASSWORD_RESET_FAILED");
    await updateAccount(tx, account.id, { password_hash });
    await activateAccount(tx, account.id);
    await endSessionsOf(tx, account.id);
    await addAuditEntry(tx, account.id, { action: "password-changed", actor: "link", ...origin });
    await sendMail(deps, tx, { to: account.email, ...passwordChangedMail(deps.baseUrl, account.firstname) });
  });
}
