import type { Deps as CheckDeps } from "#checks/deps.ts";
import { notify } from "#checks/notify.ts";
import { AppError } from "#contract/errors.ts";
import { maskSecret } from "#detection/security-findings/secrets.ts";
import { findNewLines, type NewLine } from "#page-index/find-new-lines.ts";
import { matchText, withTimeLimit } from "#page-index/match-text.ts";
import type { Database } from "#storage/database.ts";
import { findJobOfExecution } from "#storage/executions.ts";
import { findJob } from "#storage/jobs.ts";
import { insertSearchAlertHit, listSearchAlerts, type SearchAlertRow } from "#storage/search-alerts.ts";

type Deps = Pick<CheckDeps, "db" | "queue">;

const maxLines = 100;
const shownCharacters = 200;

/** Alerts about what an execution saw first, on any page of a search alert's groups. Safe to repeat. */
export async function matchSearchAlerts(
  deps: Deps,
  task: { accountId: string; executionId: string },
): Promise<void> {
  const { accountId, executionId } = task;
  const jobId = await findJobOfExecution(deps.db, accountId, executionId);
  const job = jobId && (await findJob(deps.db, accountId, jobId));
  if (!job) return;
  for (const alert of await listSearchAlerts(deps.db, accountId)) {
    const lines = await findLines(deps.db, task, alert);
    const [first] = lines;
    if (!first) continue;
    await deps.db.transaction().execute(async (tx) => {
      const hit = { alert_id: alert.id, execution_id: executionId, lines: lines.length };
      if (!(await insertSearchAlertHit(tx, hit))) return;
      await notify(deps, tx, {
        kind: "found",
        severity: alert.severity,
        account_id: accountId,
        job_id: job.id,
        execution_id: executionId,
        title: job.name,
        message: describeFound(alert, first, lines.length),
      });
    });
  }
}

/** A search that takes too long on the few lines of one execution finds nothing, rather than keeping the others away. */
async function findLines(
  db: Database,
  task: { accountId: string; executionId: string },
  { q, mode, kind, group_ids: groupIds }: SearchAlertRow,
): Promise<NewLine[]> {
  try {
    const match = matchText({ q, mode });
    return await withTimeLimit(db, (tx) =>
      findNewLines(tx, task, { match, kind, groupIds, limit: maxLines }),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}

function describeFound({ name, hides_match }: SearchAlertRow, line: NewLine, count: number): string {
  const shown = hides_match ? hideMatch(line) : cutAroundMatch(line);
  const more = count > 1 ? ` and ${count - 1} more ${count === 2 ? "line" : "lines"}` : "";
  return `${name} first appeared: ${shown}${more}`;
}

/** Only the ends of what was found; the rest of the line may hold more of it. */
function hideMatch({ text, start, end }: NewLine): string {
  const found = Array.from(text)
    .slice(Math.max(start - 1, 0), Math.max(end - 1, 0))
    .join("");
  return maskSecret(found || text);
}

function cutAroundMatch({ text, start }: NewLine): string {
  const characters = Array.from(text);
  const from = Math.max(0, Math.min(start - 1 - shownCharacters / 3, characters.length - shownCharacters));
  const cut = characters.slice(from, from + shownCharacters).join("");
  return `“${from > 0 ? "…" : ""}${cut}${from + shownCharacters < characters.length ? "…" : ""}”`;
}
