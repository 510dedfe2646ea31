import type { Actor } from "#contract/actor.ts";
import type { Incident, IncidentQuery, Incidents } from "#contract/incident.ts";
import { highestSeverity } from "#detection/severity/severity.ts";
import type { Database } from "#storage/database.ts";
import { findCommon, type GroupedChange } from "./group-changes.ts";
import { type ChangeRow, type ItemRow, listChangedBlocks, listRecentChanges } from "./incident-rows.ts";
import { groupedChange, joinIncidents } from "./join-incident.ts";
import { describeItems, summarize } from "./summarize.ts";

const maxChanges = 500;
const shownChanges = 50;
const shownItems = 10;

/** The incidents of the last days: changes of at least two pages that have one cause, or that the user put together. */
export async function readIncidents(
  { db }: { db: Database },
  { accountId }: Actor,
  { days }: IncidentQuery,
): Promise<Incidents> {
  const rows = await listRecentChanges(db, accountId, days, maxChanges + 1);
  const changes = rows.slice(0, maxChanges).toReversed();
  // Changes that no alert was sent about, and those that an older version recorded.
  const joined = await joinIncidents(
    db,
    accountId,
    changes.flatMap(({ id, incident_id }) => (incident_id === null ? [id] : [])),
  );
  const groups = Map.groupBy(changes, ({ id, incident_id }) => incident_id ?? joined.get(id) ?? "");
  groups.delete("");
  const shown = [...groups].filter(([, members]) => pagesOf(members) > 1 || members[0]?.by_hand);
  const items = await listChangedBlocks(
    db,
    shown.flatMap(([, members]) => members),
  );
  const itemsOf = Map.groupBy(items, ({ execution_id }) => execution_id);
  return {
    incidents: shown
      .map(([id, members]) => describeIncident(id, members, itemsOf))
      .toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1)),
    otherChanges: changes.length - shown.reduce((sum, [, members]) => sum + members.length, 0),
    isCapped: rows.length > maxChanges,
  };
}

const pagesOf = (rows: ChangeRow[]) => new Set(rows.map(({ job_id }) => job_id)).size;

function describeIncident(id: string, rows: ChangeRow[], itemsOf: Map<string, ItemRow[]>): Incident {
  const changes = rows.map((row) => groupedChange(row, itemsOf.get(row.id) ?? []));
  const keys = findCommon({ changes });
  const common = describeItems(
    keys,
    rows.flatMap((row) => itemsOf.get(row.id) ?? []),
  );
  const inCommon = new Set(keys);
  const times = rows.map(({ created_at }) => created_at.toISOString());
  const pages = pagesOf(rows);
  return {
    id,
    firstAt: times[0] ?? "",
    lastAt: times.at(-1) ?? "",
    severity: highestSeverity(rows.map(({ severity }) => ({ severity: severity ?? "info" }))),
    pages,
    summary: summarize(common, pages),
    opinion: rows[0]?.opinion ? { model: rows[0].opinion.model, sentence: rows[0].opinion.sentence } : null,
    common: common.slice(0, shownItems),
    moreCommon: Math.max(0, common.length - shownItems),
    changes: rows.slice(0, shownChanges).map((row, at) => describeChange(row, changes[at], inCommon)),
    moreChanges: Math.max(0, rows.length - shownChanges),
    noise: {
      wanted: rows.filter(({ noise_wanted }) => noise_wanted).length,
      pending: rows.filter(({ noise_wanted, noise }) => noise_wanted === (noise === null)).length,
      failed: rows.filter(({ noise }) => noise && "problem" in noise).length,
    },
  };
}

const describeChange = (
  row: ChangeRow,
  change: GroupedChange | undefined,
  inCommon: Set<string>,
): Incident["changes"][number] => ({
  executionId: row.id,
  jobId: row.job_id,
  job: row.name,
  url: row.url,
  groupId: row.group_id,
  at: row.created_at.toISOString(),
  severity: row.severity ?? "info",
  summary: row.summary,
  own: [...(change?.items.keys() ?? [])].filter((key) => !inCommon.has(key)).length,
});
