import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { NewAccount } from "#contract/account.ts";
import { AppError } from "#contract/errors.ts";
import { formatMoment } from "#mail/format-time.ts";
import { type ActivationCause, activationMail, addressInUseMail } from "#mail/mail-templates.ts";
import { sendMail } from "#mail/send-mail.ts";
import { callerKey, limitAttempts } from "#request-limits/limit-attempts.ts";
import {
  deleteTokens,
  findTokenOwner,
  hasOtherSignUps,
  issueActivationToken,
  redeemToken,
  type SignUp,
  tokenAge,
} from "#storage/account-tokens.ts";
import {
  type Account,
  activateAccount,
  emailKey,
  insertAccount,
  lockAccount,
  lockAccountByEmail,
  updateAccount,
} from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import type { Deps } from "./deps.ts";
import { hashPassword } from "./passwords.ts";

const perAddress = { uses: 5, windowSeconds: 3600 };

/** Where a sign-up came from. The mail shows both, so neither may be text that the caller chose. */
type Source = { ip: string; browser?: string | undefined };

/** Signs up. A known address gets the same response as a new one, and its owner is notified by mail. */
export async function signUp(deps: Deps, input: NewAccount, { ip, browser }: Source): Promise<void> {
  const limit = { uses: deps.signUpPerHour, windowSeconds: 3600 };
  await limitAttempts(deps.db, `sign-up:${callerKey(ip)}`, limit, "sign-ups from here");
  await limitAttempts(
    deps.db,
    `sign-up-address:${emailKey(input.email)}`,
    perAddress,
    "sign-ups with this address",
  );
  const { password, email, firstname, surname } = input;
  const chosen = { firstname, surname, password_hash: await hashPassword(password, callerKey(ip)) };
  await deps.db.transaction().execute(async (tx) => {
    const created = await insertAccount(tx, { email, ...chosen, ...newBotToken(deps) });
    const account = created ?? (await lockAccountByEmail(tx, email));
    if (!account) throw new Error("an account disappeared during sign-up");
    if (account.activated_at) {
      return sendMail(deps, tx, { to: account.email, ...addressInUseMail(deps.baseUrl, account.firstname) });
    }
    const occasion = { did: "signed up with this address", at: new Date(), ip, browser } as const;
    return sendActivation(deps, tx, account, chosen, occasion);
  });
}

/** Creates a new account's id and the token that links its Telegram chat. */
export function newBotToken(deps: Pick<Deps, "secrets">) {
  const id = randomUUID();
  const token = randomBytes(24).toString("base64url");
  return {
    id,
    bot_token_sealed: deps.secrets.seal(token, `bot-token:${id}`),
    bot_token_hash: createHash("sha256").update(token).digest(),
  };
}

/**
 * Anyone can sign up with somebody else's address, before or after its owner does. So each link sets the password that
 * was chosen at its own sign-up, and stays valid whoever signs up later.
 */
async function sendActivation(
  deps: Deps,
  tx: Database,
  account: Account,
  chosen: SignUp,
  occasion: ActivationCause,
): Promise<void> {
  const isOneOfSeveral = await hasOtherSignUps(tx, account.id, chosen);
  const token = await issueActivationToken(tx, account.id, chosen);
  const mail = activationMail(deps.baseUrl, token, occasion, isOneOfSeveral);
  await sendMail(deps, tx, { to: account.email, ...mail });
}

/** Sends a fresh activation link, at most once in ten minutes. */
export async function resendActivation(deps: Deps, { id }: Account): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, id);
    const age = await tokenAge(tx, id, "activation");
    if (!account || account.activated_at || (age !== undefined && age < 600)) return;
    const { password_hash, firstname, surname } = account;
    const occasion = { did: "tried to sign in before this account was activated", at: new Date() } as const;
    await sendActivation(deps, tx, account, { password_hash, firstname, surname }, occasion);
  });
}

/**
 * Activates an account with the password of the sign-up that the link was mailed for; the links of other sign-ups stop
 * working. Returns the message for the user.
 */
export async function activate(deps: Pick<Deps, "db">, token: string): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    const accountId = await findTokenOwner(tx, token, "activation");
    // The account is locked before its tokens, so that two links opened at once can't wait for each other.
    const account = accountId && (await lockAccount(tx, accountId));
    const redeemed = account && (await redeemToken(tx, token, "activation"));
    if (!redeemed || account.activated_at) throw new AppError("ACTIVATION_FAILED");
    if (redeemed.signUp) await updateAccount(tx, account.id, redeemed.signUp);
    await activateAccount(tx, account.id);
    const otherLinks = await deleteTokens(tx, account.id, "activation");
    const message = "Your account has been successfully activated.";
    return otherLinks === 0
      ? message
      : `${message} This address was used to sign up more than once: your password is the one chosen for the link mailed on ${formatMoment(redeemed.createdAt)}. If you didn't choose it, set a new password with "Forgot Password" before you use the account.`;
  });
}
