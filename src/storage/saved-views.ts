import type { NewSavedView, SavedView } from "#contract/saved-view.ts";
import type { Database } from "./database.ts";

export async function listSavedViews(db: Database, accountId: string): Promise<SavedView[]> {
  return db
    .selectFrom("saved_views")
    .select(["id", "name", "query"])
    .where("account_id", "=", accountId)
    .orderBy("name")
    .execute();
}

/** Saves a view; one that has its name already is replaced. */
export async function upsertSavedView(
  tx: Database,
  accountId: string,
  { name, query }: NewSavedView,
): Promise<void> {
  await tx
    .insertInto("saved_views")
    .values({ account_id: accountId, name, query })
    .onConflict((conflict) => conflict.columns(["account_id", "name"]).doUpdateSet({ query }))
    .execute();
}

/** Returns whether the account had that view. */
export async function deleteSavedViewRow(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("saved_views")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
