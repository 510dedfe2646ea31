import type { Actor } from "#contract/actor.ts";
import type { Change, ChangeQuery } from "#contract/change.ts";
import { viewerPath } from "#contract/links.ts";
import { changedTexts } from "#detection/change-summaries/changed-texts.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { type ChangeFilter, type ChangeRow, listChangesWithVerdicts } from "#storage/changes.ts";
import type { Database } from "#storage/database.ts";

type Deps = { db: Database; baseUrl: string };

const lineLimit = 40;

/** Changes over all jobs of an account, newest first. */
export async function listChanges(deps: Deps, { accountId }: Actor, query: ChangeQuery) {
  const { from, to, limit, ...rest } = query;
  const rows = await readChanges(deps, accountId, {
    ...rest,
    limit: limit + 1,
    ...(from ? { from: new Date(from) } : {}),
    ...(to ? { to: new Date(to) } : {}),
  });
  const shown = rows.slice(0, limit);
  return { changes: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.executionId ?? null) : null };
}

export async function readChanges(deps: Deps, accountId: string, filter: ChangeFilter): Promise<Change[]> {
  return (await listChangesWithVerdicts(deps.db, accountId, filter)).map((row) => describe(deps, row));
}

function describe({ baseUrl }: Deps, row: ChangeRow): Change {
  const reasons = ((row.verdict as Verdict | null)?.reasons ?? []).filter(
    ({ severity }) => severity !== "info",
  );
  const texts = changedTexts(reasons);
  const lines = texts.flatMap(({ removed, added }) => [
    ...(removed === null ? [] : [{ sign: "-" as const, text: removed }]),
    ...(added === null ? [] : [{ sign: "+" as const, text: added }]),
  ]);
  const counted = reasons.reduce((sum, { count }) => sum + count, 0);
  return {
    executionId: row.id,
    jobId: row.job_id,
    job: row.job_name,
    url: row.url,
    groupId: row.group_id,
    group: row.group_name,
    at: row.created_at.toISOString(),
    severity: row.severity as Change["severity"],
    summary: row.summary,
    folded: row.folded,
    suppressed: row.untold,
    lines: lines.slice(0, lineLimit),
    moreLines: Math.max(lines.length - lineLimit, counted - texts.length, 0),
    link: `${baseUrl}${viewerPath(row.job_id, row.id)}`,
  };
}
