import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { NewAccount } from "#contract/account.ts";
import { AppError } from "#contract/errors.ts";
import { issueToken, redeemToken, tokenAge } from "#storage/account-tokens.ts";
import {
  type Account,
  activateAccount,
  emailKey,
  findAccount,
  findAccountByEmail,
  insertAccount,
  updateAccount,
} from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import type { Deps } from "./deps.ts";
import { callerKey, limitAttempts } from "./limit-attempts.ts";
import { activationMail, addressInUseMail } from "./mail-templates.ts";
import { hashPassword } from "./passwords.ts";
import { sendMail } from "./send-mail.ts";

const perAddress = { uses: 5, windowSeconds: 3600 };

/** Signs up; an address that exists is answered like a new one and its owner is told by mail. */
export async function signUp(deps: Deps, input: NewAccount, ip: string): Promise<void> {
  const limit = { uses: deps.signUpPerHour, windowSeconds: 3600 };
  await limitAttempts(deps.db, `sign-up:${callerKey(ip)}`, limit, "sign-ups from here");
  await limitAttempts(
    deps.db,
    `sign-up-address:${emailKey(input.email)}`,
    perAddress,
    "sign-ups with this address",
  );
  const { password, ...names } = input;
  const values = { ...names, password_hash: await hashPassword(password, callerKey(ip)) };
  await deps.db.transaction().execute(async (tx) => {
    const created = await insertAccount(tx, { ...values, ...newBotToken(deps) });
    if (created) return sendActivation(deps, tx, created);
    const owner = await findAccountByEmail(tx, input.email);
    if (!owner) throw new Error("an account disappeared during sign-up");
    if (owner.activated_at) {
      return sendMail(deps, tx, { to: owner.email, ...addressInUseMail(deps.baseUrl, owner.firstname) });
    }
    // Whoever signed up first may not be who signs up now: each gets by their own link what they chose themselves.
    const { email: _, ...chosen } = values;
    return sendActivation(deps, tx, owner, chosen);
  });
}

/** A new account's id and the token that links its Telegram chat. */
export function newBotToken(deps: Pick<Deps, "secrets">) {
  const id = randomUUID();
  const token = randomBytes(24).toString("base64url");
  return {
    id,
    bot_token_sealed: deps.secrets.seal(token, `bot-token:${id}`),
    bot_token_hash: createHash("sha256").update(token).digest(),
  };
}

async function sendActivation(
  deps: Deps,
  tx: Database,
  account: Account,
  chosen?: Pick<Account, "password_hash" | "firstname" | "surname">,
): Promise<void> {
  const token = await issueToken(tx, account.id, "activation", chosen);
  await sendMail(deps, tx, { to: account.email, ...activationMail(deps.baseUrl, token) });
}

/** Sends a fresh activation link, at most once in ten minutes. */
export async function resendActivation(deps: Deps, account: Account): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const age = await tokenAge(tx, account.id, "activation");
    if (age === undefined || age >= 600) await sendActivation(deps, tx, account);
  });
}

export async function activate(deps: Pick<Deps, "db">, token: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const redeemed = await redeemToken(tx, token, "activation");
    if (!redeemed) throw new AppError("ACTIVATION_FAILED");
    const account = await findAccount(tx, redeemed.accountId);
    // One that was confirmed meanwhile, by a recovery link, keeps its password.
    if (redeemed.signUp && !account?.activated_at)
      await updateAccount(tx, redeemed.accountId, redeemed.signUp);
    await activateAccount(tx, redeemed.accountId);
  });
}
