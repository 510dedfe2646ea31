import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

type Kind = Schema["account_tokens"]["kind"];

const hours: Record<Kind, number> = { activation: 24, recovery: 0.5 };

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** What an activation link brings along where its account is pending already. */
type SignUp = { password_hash: string; firstname: string; surname: string };

/** Makes a token for a link; an older one of the same kind stops working. */
export async function issueToken(
  db: Database,
  accountId: string,
  kind: Kind,
  signUp?: SignUp,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  // Of two made at once the later one must see the earlier.
  await db.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
  await deleteTokens(db, accountId, kind);
  await db
    .insertInto("account_tokens")
    .values({
      token_hash: hash(token),
      account_id: accountId,
      kind,
      created_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(secs => ${hours[kind] * 3600})`,
      ...(signUp && {
        password_hash: signUp.password_hash,
        firstname: signUp.firstname,
        surname: signUp.surname,
      }),
    })
    .execute();
  return token;
}

async function deleteTokens(db: Database, accountId: string, kind: Kind): Promise<void> {
  await db
    .deleteFrom("account_tokens")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .execute();
}

/** Uses a token up; of two parallel uses exactly one gets the account. */
export async function redeemToken(
  db: Database,
  token: string,
  kind: Kind,
): Promise<{ accountId: string; signUp: SignUp | null } | undefined> {
  const row = await db
    .deleteFrom("account_tokens")
    .where("token_hash", "=", hash(token))
    .where("kind", "=", kind)
    .returning([
      "account_id",
      "password_hash",
      "firstname",
      "surname",
      sql<boolean>`expires_at > now()`.as("valid"),
    ])
    .executeTakeFirst();
  if (!row?.valid) return undefined;
  const { password_hash, firstname, surname } = row;
  const signUp = password_hash && firstname && surname ? { password_hash, firstname, surname } : null;
  return { accountId: row.account_id, signUp };
}

/** Whether a token would be taken; it is not used up. */
export async function tokenStands(db: Database, token: string, kind: Kind): Promise<boolean> {
  const row = await db
    .selectFrom("account_tokens")
    .select("account_id")
    .where("token_hash", "=", hash(token))
    .where("kind", "=", kind)
    .where("expires_at", ">", sql<Date>`now()`)
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

export async function deleteExpiredTokens(db: Database): Promise<void> {
  await db.deleteFrom("account_tokens").where("expires_at", "<", sql<Date>`now()`).execute();
}
