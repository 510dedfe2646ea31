import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { Timeline } from "#contract/timeline.ts";
import { ownJob } from "#jobs/read-job.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import { findFirstAndLastExecution, listTimelinePieces } from "#storage/timeline.ts";

/** Divides a job's history, or a period of it, into equal pieces. */
export async function readTimeline(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  range: { from?: string; to?: string; pieces: number },
): Promise<Timeline> {
  const job = await ownJob(deps, actor, jobId);
  const { first, last } = await findFirstAndLastExecution(deps.db, jobId);
  const from = range.from ? new Date(range.from) : (first?.created_at ?? job.created_at);
  // One millisecond is added, because the database stores fractions of a millisecond that a Date drops.
  const endMs = range.to ? Date.parse(range.to) : (last?.created_at ?? from).getTime() + 1;
  // A period without length can't be divided.
  const to = new Date(Math.max(endMs, from.getTime() + 1000));
  const rows = await listTimelinePieces(deps.db, jobId, from, to, range.pieces);
  const pieceMs = (to.getTime() - from.getTime()) / range.pieces;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    total: rows.reduce((sum, row) => sum + row.executions, 0),
    firstId: first?.id ?? null,
    lastId: last?.id ?? null,
    pieces: rows.map((row) => ({
      at: new Date(from.getTime() + (row.piece - 1) * pieceMs).toISOString(),
      executions: row.executions,
      changes: row.changes,
      failures: row.failures,
      shown: describeExecution(row),
    })),
  };
}
