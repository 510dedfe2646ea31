import { registrable } from "#detection/third-party-hosts/hosts.ts";
import type { Database } from "#storage/database.ts";
import { type ChangeGroup, dayMs, findGroup, type GroupedChange } from "./group-changes.ts";
import {
  addIncident,
  addToIncident,
  type ChangeRow,
  findChanges,
  type ItemRow,
  listChangedBlocks,
  listNearbyChanges,
  lockIncidents,
} from "./incident-rows.ts";

const maxIncidents = 30;
const maxIncidentsAtOnce = 500;

/**
 * Puts a change into the incident that it belongs to, or into a new one, unless that was done already. Holds the
 * account's incidents until the transaction ends, so that exactly one process decides who is first. Returns undefined
 * if the change is gone.
 */
export async function joinIncident(
  tx: Database,
  accountId: string,
  executionId: string,
): Promise<string | undefined> {
  await lockIncidents(tx, accountId);
  const [row] = await findChanges(tx, accountId, [executionId]);
  if (!row) return undefined;
  return row.incident_id ?? (await assign(tx, accountId, [row], maxIncidents)).get(row.id);
}

/** The same for many; returns the incident of each change that had none. */
export async function joinIncidents(
  db: Database,
  accountId: string,
  executionIds: string[],
): Promise<Map<string, string>> {
  if (executionIds.length === 0) return new Map();
  return db.transaction().execute(async (tx) => {
    await lockIncidents(tx, accountId);
    const rows = await findChanges(tx, accountId, executionIds);
    const known = rows.flatMap(({ id, incident_id }) => (incident_id ? [[id, incident_id] as const] : []));
    const left = rows.filter(({ incident_id }) => incident_id === null);
    return new Map([...known, ...(await assign(tx, accountId, left, maxIncidentsAtOnce))]);
  });
}

async function assign(
  tx: Database,
  accountId: string,
  rows: ChangeRow[],
  limit: number,
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const times = rows.map(({ created_at }) => created_at.getTime());
  const nearby = await listNearbyChanges(tx, accountId, {
    from: new Date(Math.min(...times) - dayMs),
    to: new Date(Math.max(...times) + dayMs),
    limit,
  });
  const grouped = await toGrouped(tx, [...nearby, ...rows]);
  const groups: (ChangeGroup & { id: string })[] = [];
  for (const [id, members] of Map.groupBy(nearby, ({ incident_id }) => incident_id ?? ""))
    groups.push({ id, changes: members.flatMap((row) => grouped.get(row.id) ?? []) });
  const assigned = new Map<string, string>();
  for (const row of rows) {
    const change = grouped.get(row.id);
    if (!change) continue;
    let group = findGroup(groups, change);
    if (!group) {
      group = { id: await addIncident(tx, accountId), changes: [] };
      groups.push(group);
    }
    group.changes.push(change);
    await addToIncident(tx, accountId, group.id, row);
    assigned.set(row.id, group.id);
  }
  return assigned;
}

/** Changes with what they added and removed, by their executions. */
async function toGrouped(db: Database, rows: ChangeRow[]): Promise<Map<string, GroupedChange>> {
  const items = Map.groupBy(await listChangedBlocks(db, rows), ({ execution_id }) => execution_id);
  return new Map(rows.map((row) => [row.id, groupedChange(row, items.get(row.id) ?? [])]));
}

export const groupedChange = (row: ChangeRow, items: ItemRow[]): GroupedChange => ({
  executionId: row.id,
  jobId: row.job_id,
  site: registrable(row.host),
  at: row.created_at,
  hasFinding: row.has_finding,
  items: new Map(items.map((item) => [keyOf(item), item.weight])),
});

/** Numbers differ from page to page, so they don't tell changes apart. */
export const keyOf = ({ sign, kind, text }: ItemRow) =>
  `${sign} ${kind} ${text.toLowerCase().replace(/\d+/g, "0")}`;
