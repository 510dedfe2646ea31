import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { maxSavedViews, type NewSavedView, type SavedView } from "#contract/saved-view.ts";
import { lockAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { deleteSavedViewRow, listSavedViews, upsertSavedView } from "#storage/saved-views.ts";

type Deps = { db: Database };

/** The account's views of the list of all jobs, by name. */
export async function readSavedViews({ db }: Deps, { accountId }: Actor): Promise<SavedView[]> {
  return listSavedViews(db, accountId);
}

/** Saves a view, or replaces the one that has its name. */
export async function saveView({ db }: Deps, actor: Actor, view: NewSavedView): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await addSavedView(tx, actor, view))) await upsertSavedView(tx, actor.accountId, view);
  });
}

/** Saves a view under a new name; returns false if the account has one of that name. */
export async function addSavedView(tx: Database, { accountId }: Actor, view: NewSavedView): Promise<boolean> {
  // Locks the account, so that calls at the same time can't exceed the limit.
  await lockAccount(tx, accountId);
  const saved = await listSavedViews(tx, accountId);
  if (saved.some(({ name }) => name === view.name)) return false;
  if (saved.length >= maxSavedViews)
    throw new AppError("CONFLICT", `You have ${maxSavedViews} saved views. Delete one to save another.`);
  await upsertSavedView(tx, accountId, view);
  return true;
}

export async function deleteSavedView({ db }: Deps, { accountId }: Actor, id: string): Promise<void> {
  if (!(await deleteSavedViewRow(db, accountId, id)))
    throw new AppError("NOT_FOUND", "This view no longer exists.");
}
