import type { Selectable } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type GroupRow = Selectable<Schema["groups"]>;

export async function listGroups(
  db: Database,
  accountId: string,
): Promise<{ id: string; name: string; jobs: number }[]> {
  return db
    .selectFrom("groups")
    .select((eb) => [
      "id",
      "name",
      eb
        .selectFrom("jobs")
        .where("jobs.account_id", "=", accountId)
        .whereRef("jobs.group_id", "=", "groups.id")
        .where("jobs.delete_at", "is", null)
        .select((inner) => inner.fn.countAll<number>().as("jobs"))
        .$asScalar()
        .$notNull()
        .as("jobs"),
    ])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** An account's groups with all columns, oldest first. */
export async function listGroupRows(db: Database, accountId: string): Promise<GroupRow[]> {
  return db
    .selectFrom("groups")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function findGroup(db: Database, accountId: string, id: string): Promise<GroupRow | undefined> {
  return db
    .selectFrom("groups")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function findGroupByName(
  db: Database,
  accountId: string,
  name: string,
): Promise<GroupRow | undefined> {
  return db
    .selectFrom("groups")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** Returns undefined when the name is taken. */
export async function insertGroup(
  db: Database,
  accountId: string,
  name: string,
): Promise<GroupRow | undefined> {
  return db
    .insertInto("groups")
    .values({ account_id: accountId, name })
    .onConflict((conflict) => conflict.columns(["account_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function renameGroup(db: Database, accountId: string, id: string, name: string): Promise<void> {
  await db
    .updateTable("groups")
    .set({ name })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .execute();
}

export async function updateGroupSettings(
  db: Database,
  accountId: string,
  id: string,
  values: {
    handed: string;
    headers_sealed: string | null;
    step_secrets_sealed: string | null;
    timetable: string | null;
  },
): Promise<void> {
  await db
    .updateTable("groups")
    .set(values)
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .execute();
}

export async function groupNameTaken(
  db: Database,
  accountId: string,
  name: string,
  exceptId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("groups")
    .select("id")
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .where("id", "!=", exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Its jobs must be deleted before. */
export async function deleteGroupRow(db: Database, accountId: string, id: string): Promise<void> {
  await db.deleteFrom("groups").where("account_id", "=", accountId).where("id", "=", id).execute();
}
