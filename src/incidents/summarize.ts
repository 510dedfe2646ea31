import type { IncidentItem } from "#contract/incident.ts";
import { blockKinds } from "#contract/page-block.ts";
import type { Database } from "#storage/database.ts";
import { findCommon } from "./group-changes.ts";
import { findChanges, type ItemRow, listChangedBlocks } from "./incident-rows.ts";
import { groupedChange, keyOf } from "./join-incident.ts";

const shownCharacters = 200;
const summaryCharacters = 80;
const maxSummarized = 50;

/** The common things of an incident as they are shown, in the order of their keys. */
export function describeItems(keys: string[], items: ItemRow[]): IncidentItem[] {
  const known = new Map(items.map((item) => [keyOf(item), item]));
  return keys.flatMap((key) => {
    const item = known.get(key);
    return item ? [{ sign: item.sign, kind: item.kind, text: cut(item.text, shownCharacters) }] : [];
  });
}

/** "Visible text “Careers” removed on 37 pages, and 2 more things" */
export function summarize([first, ...others]: IncidentItem[], pages: number): string {
  const where = pages === 1 ? "1 page" : `${pages} pages`;
  if (!first) return `The same changed on ${where}`;
  const done = first.sign === "+" ? "added" : "removed";
  const more =
    others.length === 0 ? "" : `, and ${others.length} more ${others.length === 1 ? "thing" : "things"}`;
  return `${blockKinds[first.kind]} “${cut(first.text, summaryCharacters)}” ${done} on ${where}${more}`;
}

/** Says in one sentence what some changes of an incident have in common. */
export async function summarizeCommon(
  db: Database,
  accountId: string,
  executionIds: string[],
  pages: number,
): Promise<string> {
  const rows = await findChanges(db, accountId, executionIds.slice(0, maxSummarized));
  const items = await listChangedBlocks(db, rows);
  const itemsOf = Map.groupBy(items, ({ execution_id }) => execution_id);
  const changes = rows.map((row) => groupedChange(row, itemsOf.get(row.id) ?? []));
  return summarize(describeItems(findCommon({ changes }), items), pages);
}

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
