import type { PgBoss } from "pg-boss";
import { type TaskName, taskNames } from "./tasks.ts";

export type DeadTask = { id: string; name: TaskName; at: Date; reason: string | null };

/** Lists tasks that were given up, oldest first. */
export async function listDead(boss: PgBoss, limit: number): Promise<DeadTask[]> {
  const { rows } = await boss.getDb().executeSql(
    `select id, regexp_replace(name, '-dead$', '') as name, created_on as at, coalesce(source_output, output) ->> 'message' as reason
     from pgboss.job where name = any($1) and state < 'active' order by created_on limit $2`,
    [taskNames.map((name) => `${name}-dead`), limit],
  );
  return rows;
}

/** Sends tasks again that were given up, all of a queue or one; returns how many. */
export async function replayDead(boss: PgBoss, name: TaskName, id?: string): Promise<number> {
  // One statement moves each task: a process that ends halfway neither loses a task nor sends it twice.
  const selection = { destination: name, ...(id && { ids: [id] }) };
  for (let sent = 0; ; ) {
    const { total } = await boss.previewRedrive(`${name}-dead`, selection);
    if (total === 0) return sent;
    sent += await boss.redrive(`${name}-dead`, selection);
  }
}
