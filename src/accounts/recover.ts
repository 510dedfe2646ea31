import type { RecoveryKey } from "#contract/account.ts";
import { AppError } from "#contract/errors.ts";
import { passwordChangedMail, recoveryMail } from "#mail/mail-templates.ts";
import { sendMail } from "#mail/send-mail.ts";
import { callerKey, limitAttempts } from "#request-limits/limit-attempts.ts";
import { deleteTokens, findTokenOwner, issueRecoveryToken, redeemToken } from "#storage/account-tokens.ts";
import {
  activateAccount,
  emailKey,
  lockAccount,
  lockAccountByEmail,
  updateAccount,
} from "#storage/accounts.ts";
import { deleteApiKeys, listWorkingKeys } from "#storage/api-keys.ts";
import { addAuditEntry, type Origin } from "#storage/audit.ts";
import { endSessionsOf } from "#storage/sessions.ts";
import type { Deps } from "./deps.ts";
import { hashPassword } from "./passwords.ts";

const perAddress = { uses: 5, windowSeconds: 3600 };
const perCaller = { uses: 20, windowSeconds: 3600 };
const CONTEXT = "task:recover";

/** Accepts a recovery request. A task looks up the address, so known and unknown addresses get the same response. */
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
    const account = await lockAccountByEmail(tx, email);
    if (!account) return;
    const token = await issueRecoveryToken(tx, account.id);
    const name = account.activated_at ? account.firstname : null;
    await sendMail(deps, tx, { to: account.email, ...recoveryMail(deps.baseUrl, name, token) });
  });
}

/** Lists the API keys of a recovery link's account, which work whatever the password is. The link stays unused. */
export async function readRecovery(deps: Pick<Deps, "db">, token: string): Promise<{ keys: RecoveryKey[] }> {
  const accountId = await findTokenOwner(deps.db, token, "recovery");
  if (!accountId) throw new AppError("PASSWORD_RESET_FAILED");
  const keys = await listWorkingKeys(deps.db, accountId);
  return {
    keys: keys.map(({ name, scope, created_at, last_used_at }) => ({
      name,
      scope,
      createdAt: created_at.toISOString(),
      lastUsedAt: last_used_at?.toISOString() ?? null,
    })),
  };
}

/**
 * Sets a new password with a mailed token and ends every session; on request it revokes the API keys too. The link also
 * proves the address. Returns the names of the keys that still work and of those that were revoked.
 */
export async function resetPassword(
  deps: Deps,
  token: string,
  { newPassword, revokeKeys = false }: { newPassword: string; revokeKeys?: boolean | undefined },
  origin: Origin = {},
): Promise<{ working: string[]; revoked: string[] }> {
  // Checked before hashing, which is expensive: a guessed token must not cost us a hash.
  if (!(await findTokenOwner(deps.db, token, "recovery"))) throw new AppError("PASSWORD_RESET_FAILED");
  const password_hash = await hashPassword(newPassword);
  return deps.db.transaction().execute(async (tx) => {
    const accountId = await findTokenOwner(tx, token, "recovery");
    const account = accountId && (await lockAccount(tx, accountId));
    if (!account || !(await redeemToken(tx, token, "recovery"))) throw new AppError("PASSWORD_RESET_FAILED");
    await updateAccount(tx, account.id, { password_hash });
    await activateAccount(tx, account.id);
    // Each activation link of an unconfirmed sign-up would set its own password.
    await deleteTokens(tx, account.id, "activation");
    await endSessionsOf(tx, account.id);
    const entry = { actor: "link", ...origin } as const;
    await addAuditEntry(tx, account.id, { action: "password-changed", ...entry });
    const revoked = revokeKeys ? await deleteApiKeys(tx, account.id) : [];
    for (const name of revoked)
      await addAuditEntry(tx, account.id, { action: "key-revoked", about: name, ...entry });
    const working = await listWorkingKeys(tx, account.id);
    const listed = working.map(({ name, scope, last_used_at }) => ({
      name,
      scope,
      lastUsedAt: last_used_at,
    }));
    // The name of an unconfirmed sign-up may have been typed by a stranger.
    const firstname = account.activated_at ? account.firstname : null;
    const mail = passwordChangedMail(deps.baseUrl, firstname, { working: listed, revoked });
    await sendMail(deps, tx, { to: account.email, ...mail });
    return { working: working.map(({ name }) => name), revoked };
  });
}
