import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { Timeline } from "#contract/timeline.ts";
import { describeExecution } from "#jobs/describe-job.ts";
import { ownJob } from "#jobs/read-job.ts";
import { findLife, listPieces } from "#storage/timeline.ts";

/** A job's life, or a stretch of it, in equal pieces. */
export async function readTimeline(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  range: { from?: string; to?: string; pieces: number },
): Promise<Timeline> {
  const job = await ownJob(deps, actor, jobId);
  const { first, last } = await findLife(deps.db, jobId);
  const from = range.from ? new Date(range.from) : (first?.created_at ?? job.created_at);
  // The database knows parts of a millisecond that a Date does not.
  const wanted = range.to ? Date.parse(range.to) : (last?.created_at ?? from).getTime() + 1;
  // A stretch without length cannot be cut.
  const to = new Date(Math.max(wanted, from.getTime() + 1000));
  const rows = await listPieces(deps.db, jobId, from, to, range.pieces);
  const length = (to.getTime() - from.getTime()) / range.pieces;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    total: rows.reduce((sum, row) => sum + row.executions, 0),
    firstId: first?.id ?? null,
    lastId: last?.id ?? null,
    pieces: rows.map((row) => ({
      at: new Date(from.getTime() + (row.piece - 1) * length).toISOString(),
      executions: row.executions,
      changes: row.changes,
      failures: row.failures,
      shown: describeExecution(row),
    })),
  };
}
