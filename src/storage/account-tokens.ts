import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

type Kind = Schema["account_tokens"]["kind"];

const validHours: Record<Kind, number> = { activation: 24, recovery: 0.5 };

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** What was chosen at a sign-up; it is stored with the token of its activation link. */
export type SignUp = { password_hash: string; firstname: string; surname: string };

/** Creates a recovery token; an older one of the account stops working. The caller holds the account's row lock. */
export async function issueRecoveryToken(tx: Database, accountId: string): Promise<string> {
  await deleteTokens(tx, accountId, "recovery");
  return insertToken(tx, accountId, "recovery");
}

/**
 * Creates an activation token for one sign-up. It replaces older tokens of that sign-up only: whoever else signs up
 * with the same address can't end it. The caller holds the account's row lock.
 */
export async function issueActivationToken(tx: Database, accountId: string, signUp: SignUp): Promise<string> {
  await tx
    .deleteFrom("account_tokens")
    .where("account_id", "=", accountId)
    .where("kind", "=", "activation")
    .where("password_hash", "=", signUp.password_hash)
    .execute();
  return insertToken(tx, accountId, "activation", signUp);
}

async function insertToken(tx: Database, accountId: string, kind: Kind, signUp?: SignUp): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await tx
    .insertInto("account_tokens")
    .values({
      token_hash: hash(token),
      account_id: accountId,
      kind,
      created_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(secs => ${validHours[kind] * 3600})`,
      ...(signUp && {
        password_hash: signUp.password_hash,
        firstname: signUp.firstname,
        surname: signUp.surname,
      }),
    })
    .execute();
  return token;
}

/** Deletes all tokens of this kind; returns how many of them were still valid. */
export async function deleteTokens(tx: Database, accountId: string, kind: Kind): Promise<number> {
  const rows = await tx
    .deleteFrom("account_tokens")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .returning(isValid)
    .execute();
  return rows.filter(({ valid }) => valid).length;
}

const isValid = sql<boolean>`expires_at > now()`.as("valid");

type Redeemed = {
  /** Null for links from versions that stored the first sign-up only in the account's row. */
  signUp: SignUp | null;
  createdAt: Date;
};

/** Uses a token up; of two parallel uses exactly one succeeds. The caller holds the account's row lock. */
export async function redeemToken(tx: Database, token: string, kind: Kind): Promise<Redeemed | undefined> {
  const row = await tx
    .deleteFrom("account_tokens")
    .where("token_hash", "=", hash(token))
    .where("kind", "=", kind)
    .returning(["password_hash", "firstname", "surname", "created_at", isValid])
    .executeTakeFirst();
  if (!row?.valid) return undefined;
  const { password_hash, firstname, surname } = row;
  const signUp = password_hash && firstname && surname ? { password_hash, firstname, surname } : null;
  return { signUp, createdAt: row.created_at };
}

/** The account that a token belongs to, if the token is valid; it isn't used up. */
export async function findTokenOwner(db: Database, token: string, kind: Kind): Promise<string | undefined> {
  const row = await db
    .selectFrom("account_tokens")
    .select("account_id")
    .where("token_hash", "=", hash(token))
    .where("kind", "=", kind)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row?.account_id;
}

/** Whether an account has other sign-ups whose links may still be opened. */
export async function hasOtherSignUps(tx: Database, accountId: string, signUp: SignUp): Promise<boolean> {
  const row = await tx
    .selectFrom("account_tokens")
    .select("account_id")
    .where("account_id", "=", accountId)
    .where("kind", "=", "activation")
    .where("expires_at", ">", sql<Date>`now()`)
    .where((eb) => eb.or([eb("password_hash", "is", null), eb("password_hash", "!=", signUp.password_hash)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** How long ago the newest token of this kind was made, in seconds; undefined when there is none. */
export async function tokenAge(db: Database, accountId: string, kind: Kind): Promise<number | undefined> {
  const row = await db
    .selectFrom("account_tokens")
    .select(sql<number>`extract(epoch from now() - created_at)::float8`.as("age"))
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.age;
}
