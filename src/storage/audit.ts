import { sql } from "kysely";
import type { AuditAction, AuditActor } from "#contract/audit.ts";
import type { Database } from "./database.ts";

/** From where something was done. */
export type Origin = { address?: string | undefined; device?: string | undefined };

export type NewAuditEntry = Origin & {
  action: AuditAction;
  /** What it was done to, in words. */
  about?: string | null | undefined;
  /** Who did it, where it was not the account's own session. */
  actor?: AuditActor | undefined;
};

/** Writes down what was done to an account; commits with the caller's transaction. */
export async function addAuditEntry(db: Database, accountId: string, entry: NewAuditEntry): Promise<void> {
  const { action, about = null, actor = "you", address = null, device = null } = entry;
  await db
    .insertInto("audit_entries")
    .values({ account_id: accountId, action, about: about?.slice(0, 300) ?? null, actor, address, device })
    .execute();
}

/** An account's entries, the newest first, from before `cursor`. */
export async function listAuditEntries(db: Database, accountId: string, limit: number, cursor?: string) {
  let query = db.selectFrom("audit_entries").selectAll().where("account_id", "=", accountId);
  if (cursor) query = query.where("id", "<", cursor);
  return query.orderBy("id", "desc").limit(limit).execute();
}

export async function deleteOldAuditEntries(db: Database): Promise<void> {
  await sql`delete from audit_entries where created_at < now() - interval '1 year'`.execute(db);
}
