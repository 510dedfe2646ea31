import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import {
  maxSearchAlerts,
  type NewSearchAlert,
  type SearchAlert,
  type SearchAlertTrial,
  type SearchAlertTrialResult,
  trialDays,
} from "#contract/search-alert.ts";
import { assertReadable } from "#page-index/find-new-lines.ts";
import { assertIndexable, matchText, withTimeLimit } from "#page-index/match-text.ts";
import { searchHistory } from "#page-index/search-history.ts";
import { lockAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import {
  countSearchAlertHits,
  deleteSearchAlertRow,
  insertSearchAlert,
  listSearchAlerts,
  updateSearchAlertRow,
} from "#storage/search-alerts.ts";

type Deps = { db: Database };

/** The account's search alerts, by name. */
export async function readSearchAlerts({ db }: Deps, { accountId }: Actor): Promise<SearchAlert[]> {
  const [rows, hits] = await Promise.all([
    listSearchAlerts(db, accountId),
    countSearchAlertHits(db, accountId),
  ]);
  return rows.map(({ id, name, q, mode, kind, group_ids, severity, hides_match, created_at }) => ({
    id,
    name,
    q,
    mode,
    kind,
    groupIds: group_ids,
    severity,
    hidesMatch: hides_match,
    createdAt: created_at.toISOString(),
    alerts: hits.get(id)?.alerts ?? 0,
    lastAlertAt: hits.get(id)?.last_at.toISOString() ?? null,
  }));
}

/** Creates a search alert, or changes the one with this id. */
export async function saveSearchAlert(
  { db }: Deps,
  actor: Actor,
  alert: NewSearchAlert,
  id?: string,
): Promise<void> {
  await assertSearchable(db, alert);
  await db.transaction().execute(async (tx) => {
    // Locks the account, so that calls at the same time can't exceed the limit.
    await lockAccount(tx, actor.accountId);
    const others = (await listSearchAlerts(tx, actor.accountId)).filter((one) => one.id !== id);
    if (others.some(({ name }) => name === alert.name))
      throw new AppError("NAME_TAKEN", undefined, { field: "name" });
    if (id) {
      if (!(await updateSearchAlertRow(tx, actor.accountId, id, alert))) throw gone();
    } else await addSearchAlert(tx, actor, alert, others.length);
  });
}

/** Adds an alert to those that the locked account has. */
export async function addSearchAlert(
  tx: Database,
  { accountId }: Actor,
  alert: NewSearchAlert,
  count: number,
): Promise<void> {
  if (count >= maxSearchAlerts)
    throw new AppError("CONFLICT", `You have ${maxSearchAlerts} search alerts. Delete one to add another.`);
  await insertSearchAlert(tx, accountId, alert);
}

export async function deleteSearchAlert({ db }: Deps, { accountId }: Actor, id: string): Promise<void> {
  if (!(await deleteSearchAlertRow(db, accountId, id))) throw gone();
}

const gone = () => new AppError("NOT_FOUND", "This search alert no longer exists.");

/** Refuses a search that can't be done on the past: it would match everything, or can't be read. */
async function assertSearchable(db: Database, alert: SearchAlertTrial): Promise<void> {
  const match = matchText(alert);
  assertIndexable(alert, match);
  await withTimeLimit(db, (tx) => assertReadable(tx, match));
}

const dayMs = 86_400_000;
const maxCounted = 200;
const shownLines = 5;

/** What a search alert would have found in the last days: lines that no page of its groups had before. */
export async function trySearchAlert(
  deps: Deps,
  actor: Actor,
  { groupIds, kind, ...searched }: SearchAlertTrial,
): Promise<SearchAlertTrialResult> {
  const { lines, more } = await searchHistory(deps, actor, {
    ...searched,
    ...(kind ? { kind } : {}),
    ...(groupIds ? { groupIds } : {}),
    sort: "newest",
    limit: maxCounted,
  });
  const since = Date.now() - trialDays * dayMs;
  const recent = lines.filter(({ firstAt }) => Date.parse(firstAt) >= since);
  return {
    found: recent.length,
    isMore: more && recent.length === lines.length,
    lines: recent.slice(0, shownLines),
  };
}
