import { createHash, randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type CheckoutRow = Selectable<Schema["checkouts"]>;
type PaidPlanId = CheckoutRow["plan_id"];

const hash = (token: string) => createHash("sha256").update(token).digest();

/** A token that lets one account buy one plan, once, within the hour. */
export async function issueCheckout(db: Database, accountId: string, planId: PaidPlanId): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db
    .insertInto("checkouts")
    .values({
      token_hash: hash(token),
      account_id: accountId,
      plan_id: planId,
      expires_at: sql<Date>`now() + interval '1 hour'`,
    })
    .execute();
  return token;
}

export async function accountOfCheckout(db: Database, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("checkouts")
    .select("account_id")
    .where("token_hash", "=", hash(token))
    .executeTakeFirst();
  return row?.account_id;
}

/** Locks a token's checkout; `usable` is false if the token was used, or had expired at `at`. */
export async function lockCheckout(
  db: Database,
  token: string,
  at?: string,
): Promise<(CheckoutRow & { usable: boolean }) | undefined> {
  const moment = at === undefined ? sql`now()` : sql`${at}::timestamptz`;
  return db
    .selectFrom("checkouts")
    .selectAll()
    .select(sql<boolean>`subscription_id is null and expires_at > ${moment}`.as("usable"))
    .where("token_hash", "=", hash(token))
    .forUpdate()
    .executeTakeFirst();
}

/** Uses a token up: from now on it belongs to the subscription. */
export async function bindCheckout(db: Database, token: string, subscriptionId: string): Promise<void> {
  await db
    .updateTable("checkouts")
    .set({ subscription_id: subscriptionId })
    .where("token_hash", "=", hash(token))
    .execute();
}
