import type { AuditAction, AuditActor } from "#contract/audit.ts";
import type { Database } from "./database.ts";

/** Where an action came from. */
export type Origin = { address?: string | undefined; device?: string | undefined };

export type NewAuditEntry = Origin & {
  action: AuditAction;
  /** What the action was applied to, in words. */
  about?: string | null | undefined;
  /** Who did it, if it wasn't the account's own session. */
  actor?: AuditActor | undefined;
};

/** Records an action on an account; commits with the caller's transaction. */
export async function addAuditEntry(db: Database, accountId: string, entry: NewAuditEntry): Promise<void> {
  const { action, about = null, actor = "you", address = null, device = null } = entry;
  await db
    .insertInto("audit_entries")
    .values({ account_id: accountId, action, about: about?.slice(0, 300) ?? null, actor, address, device })
    .execute();
}

/** An account's entries before `cursor`, newest first. */
export async function listAuditEntries(db: Database, accountId: string, limit: number, cursor?: string) {
  let query = db.selectFrom("audit_entries").selectAll().where("account_id", "=", accountId);
  if (cursor) query = query.where("id", "<", cursor);
  return query.orderBy("id", "desc").limit(limit).execute();
}
