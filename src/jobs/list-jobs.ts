import type { Actor } from "#contract/actor.ts";
import type { JobFilter, JobLine } from "#contract/change.ts";
import { AppError } from "#contract/errors.ts";
import { changedTexts } from "#detection/change-summaries/changed-texts.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { type LastExecutions, listLastExecutions } from "#storage/changes.ts";
import { readPlainSetting } from "#storage/job-settings.ts";
import { type JobWithGroup, listJobsWithGroups } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** The jobs of an account by group and name, one line each: all of them, or a page. */
export async function listJobs(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  { groupId, limit, cursor, lastChange }: JobFilter,
): Promise<{ jobs: JobLine[]; nextCursor: string | null }> {
  const rows = (await listJobsWithGroups(db, accountId)).filter(
    (row) => !groupId || row.group_id === groupId,
  );
  const from = cursor ? rows.findIndex(({ id }) => id === cursor) + 1 : 0;
  if (cursor && from === 0)
    throw new AppError("INVALID_INPUT", "The job at this cursor is gone: list the jobs from the start.", {
      field: "cursor",
    });
  const page = rows.slice(from, limit === undefined ? undefined : from + limit);
  const hasMore = from + page.length < rows.length;
  const ids = page.map(({ id }) => id);
  const newest = await listLastExecutions(db, accountId, ids, lastChange === "true");
  return {
    nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null,
    jobs: page.map((row) => describe(row, newest.get(row.id), lastChange === "true")),
  };
}

function describe(row: JobWithGroup, newest: LastExecutions | undefined, withChange: boolean): JobLine {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    status: row.status,
    groupId: row.group_id,
    group: row.group_name,
    frequencyMinutes: row.frequency_minutes,
    executions: row.executions,
    changes: row.changes,
    failing: row.last_failed,
    tags: readPlainSetting<"tags">(row, "tags"),
    lastCheckAt: newest?.last_at?.toISOString() ?? null,
    error: row.last_failed ? (newest?.last_error ?? null) : null,
    lastExecutionId: row.last_execution_id,
    nextRunAt: row.status === "ACTIVE" && !row.delete_at ? row.next_run_at.toISOString() : null,
    deleteAt: row.delete_at?.toISOString() ?? null,
    ...(withChange && { lastChange: describeChange(newest) }),
  };
}

/** A search over all jobs covers this much of the text of each job's newest change. */
const maxText = 500;

function describeChange(newest: LastExecutions | undefined): JobLine["lastChange"] {
  if (!newest?.change_id || !newest.change_at) return null;
  const reasons = (newest.verdict as Verdict | null)?.reasons ?? [];
  const lines = changedTexts(reasons).flatMap(({ removed, added }) => [removed, added]);
  return {
    executionId: newest.change_id,
    at: newest.change_at.toISOString(),
    severity: (newest.severity ?? "info") as NonNullable<JobLine["lastChange"]>["severity"],
    summary: newest.summary ?? "",
    text: lines
      .filter((line) => line !== null)
      .join("\n")
      .slice(0, maxText),
  };
}
