import type { Actor } from "#contract/actor.ts";
import type { Incident, IncidentItem, IncidentQuery, Incidents } from "#contract/incident.ts";
import { blockKinds } from "#contract/page-block.ts";
import { registrable } from "#detection/third-party-hosts/hosts.ts";
import type { Database } from "#storage/database.ts";
import { type ChangeGroup, type GroupedChange, groupChanges } from "./group-changes.ts";
import { type ChangeRow, type ItemRow, listChangedBlocks, listRecentChanges } from "./incident-rows.ts";

const maxChanges = 500;
const shownChanges = 50;
const shownItems = 10;
const shownCharacters = 200;

/** The incidents of the last days: changes of at least two pages that have one cause. */
export async function readIncidents(
  { db }: { db: Database },
  { accountId }: Actor,
  { days }: IncidentQuery,
): Promise<Incidents> {
  const rows = await listRecentChanges(db, accountId, days, maxChanges + 1);
  const changes = rows.slice(0, maxChanges);
  const items = await listChangedBlocks(db, changes);
  const known = new Map(items.map((item) => [keyOf(item), item]));
  const byChange = Map.groupBy(items, ({ execution_id }) => execution_id);
  const rowOf = new Map(changes.map((row) => [row.id, row]));
  const groups = groupChanges(changes.map((row) => toGrouped(row, byChange.get(row.id) ?? [])));
  const incidents = groups.filter((group) => pagesOf(group) > 1);
  return {
    incidents: incidents
      .map((group) => describeIncident(group, rowOf, known))
      .toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1)),
    otherChanges: changes.length - incidents.reduce((sum, group) => sum + group.changes.length, 0),
    isCapped: rows.length > maxChanges,
  };
}

const pagesOf = ({ changes }: ChangeGroup) => new Set(changes.map(({ jobId }) => jobId)).size;

/** Numbers differ from page to page, so they don't tell changes apart. */
const keyOf = ({ sign, kind, text }: ItemRow) => `${sign} ${kind} ${text.toLowerCase().replace(/\d+/g, "0")}`;

const toGrouped = (row: ChangeRow, items: ItemRow[]): GroupedChange => ({
  executionId: row.id,
  jobId: row.job_id,
  site: registrable(row.host),
  at: row.created_at,
  severity: row.severity ?? "info",
  hasFinding: row.has_finding,
  items: new Map(items.map((item) => [keyOf(item), item.weight])),
});

function describeIncident(
  group: ChangeGroup,
  rowOf: Map<string, ChangeRow>,
  known: Map<string, ItemRow>,
): Incident {
  const { changes, severity } = group;
  const common = group.common.flatMap((key): IncidentItem[] => {
    const item = known.get(key);
    return item ? [{ sign: item.sign, kind: item.kind, text: cut(item.text) }] : [];
  });
  const inCommon = new Set(group.common);
  const times = changes.map(({ at }) => at.toISOString());
  return {
    id: changes[0]?.executionId ?? "",
    firstAt: times[0] ?? "",
    lastAt: times.at(-1) ?? "",
    severity,
    pages: pagesOf(group),
    summary: summarize(common, pagesOf(group)),
    common: common.slice(0, shownItems),
    moreCommon: Math.max(0, common.length - shownItems),
    changes: changes.slice(0, shownChanges).flatMap(({ executionId, items }) => {
      const row = rowOf.get(executionId);
      const own = [...items.keys()].filter((key) => !inCommon.has(key)).length;
      return row ? [describeChange(row, own)] : [];
    }),
    moreChanges: Math.max(0, changes.length - shownChanges),
  };
}

const describeChange = (row: ChangeRow, own: number): Incident["changes"][number] => ({
  executionId: row.id,
  jobId: row.job_id,
  job: row.name,
  url: row.url,
  groupId: row.group_id,
  at: row.created_at.toISOString(),
  severity: row.severity ?? "info",
  summary: row.summary,
  own,
});

/** "Visible text “Careers” removed on 37 pages, and 2 more things" */
function summarize([first, ...others]: IncidentItem[], pages: number): string {
  if (!first) return `The same changed on ${pages} pages`;
  const text = first.text.length > 80 ? `${first.text.slice(0, 79).toWellFormed()}…` : first.text;
  const done = first.sign === "+" ? "added" : "removed";
  const more =
    others.length === 0 ? "" : `, and ${others.length} more ${others.length === 1 ? "thing" : "things"}`;
  return `${blockKinds[first.kind]} “${text}” ${done} on ${pages} pages${more}`;
}

const cut = (text: string) =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters - 1).toWellFormed()}…` : text;
