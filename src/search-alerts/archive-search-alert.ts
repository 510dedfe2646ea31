import { z } from "zod";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { NewSearchAlert } from "#contract/search-alert.ts";
import { assertIndexable, matchText } from "#page-index/match-text.ts";
import { lockAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findGroupByName } from "#storage/groups.ts";
import { listSearchAlerts, type SearchAlertRow } from "#storage/search-alerts.ts";
import { addSearchAlert } from "./manage-search-alerts.ts";

/** A search alert in an archive, with its groups by name. */
export const ArchivedSearchAlert = NewSearchAlert.omit({ groupIds: true }).extend({
  groups: z.array(z.string().max(300)).max(100).nullable(),
});
export type ArchivedSearchAlert = z.infer<typeof ArchivedSearchAlert>;

export function archiveSearchAlert(
  { name, q, mode, kind, severity, hides_match, group_ids }: SearchAlertRow,
  groups: { id: string; name: string }[],
): ArchivedSearchAlert {
  const named = group_ids && groups.filter(({ id }) => group_ids.includes(id)).map((group) => group.name);
  return { name, q, mode, kind, severity, hidesMatch: hides_match, groups: named };
}

/** Adds an archive's search alert; returns false if the account has one of that name. */
export async function restoreSearchAlert(
  tx: Database,
  actor: Actor,
  { groups, ...alert }: ArchivedSearchAlert,
): Promise<boolean> {
  await lockAccount(tx, actor.accountId);
  const known = await listSearchAlerts(tx, actor.accountId);
  if (known.some(({ name }) => name === alert.name)) return false;
  assertIndexable(alert, matchText(alert));
  const found =
    groups && (await Promise.all(groups.map((name) => findGroupByName(tx, actor.accountId, name))));
  const groupIds = found && found.flatMap((group) => (group ? [group.id] : []));
  if (groupIds?.length === 0) throw new AppError("CONFLICT", "Its groups don’t exist here.");
  await addSearchAlert(tx, actor, { ...alert, groupIds }, known.length);
  return true;
}
