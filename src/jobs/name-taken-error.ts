import { AppError } from "#contract/errors.ts";
import type { Database } from "#storage/database.ts";
import { findJobByName } from "#storage/jobs.ts";

/** The refusal of a name that another job of the group has, or had until its deletion, which can still be undone. */
export async function nameTakenError(
  tx: Database,
  accountId: string,
  groupId: string,
  name: string,
): Promise<AppError> {
  const other = await findJobByName(tx, accountId, groupId, name);
  const message = other?.delete_at
    ? "A deleted job in this group has this name, and its deletion can still be undone. Choose another name."
    : "The group already has a job with this name.";
  return new AppError("NAME_TAKEN", message, { field: "name" });
}
