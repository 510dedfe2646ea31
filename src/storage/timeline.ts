import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { ExecutionRow } from "./executions.ts";

export type TimelinePiece = ExecutionRow & {
  piece: number;
  executions: number;
  changes: number;
  failures: number;
};

/** When a job was first and last checked, and by which executions. */
export async function findFirstAndLastExecution(db: Database, jobId: string) {
  const findEnd = (direction: "asc" | "desc") =>
    db
      .selectFrom("executions")
      .select(["id", "created_at"])
      .where("job_id", "=", jobId)
      .orderBy("id", direction)
      .limit(1)
      .executeTakeFirst();
  const [first, last] = await Promise.all([findEnd("asc"), findEnd("desc")]);
  return { first, last };
}

/** Divides a period of a job's history into equal pieces; returns each one's counts and most severe execution. */
export async function listTimelinePieces(
  db: Database,
  jobId: string,
  from: Date,
  to: Date,
  pieces: number,
): Promise<TimelinePiece[]> {
  const { rows } = await sql<TimelinePiece>`
    with placed as (
      select id, changed, failure,
        least(${pieces}::integer, width_bucket(extract(epoch from created_at), extract(epoch from ${from}::timestamptz),
          extract(epoch from ${to}::timestamptz), ${pieces}::integer)) as piece,
        array_position(array['info', 'notice', 'important', 'critical'], severity) as weight
      from executions
      where job_id = ${jobId} and created_at between ${from} and ${to}
    ), counted as (
      select piece, count(*)::integer as executions, count(*) filter (where changed)::integer as changes,
        count(*) filter (where failure is not null)::integer as failures,
        (array_agg(id order by changed desc, (case when changed then weight end) desc nulls last, id desc))[1] as shown
      from placed group by piece
    )
    select executions.*, counted.piece, counted.executions, counted.changes, counted.failures
    from counted join executions on executions.id = counted.shown
    order by counted.piece
  `.execute(db);
  return rows;
}
