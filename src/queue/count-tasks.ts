import type { PgBoss } from "pg-boss";
import { type TaskName, taskNames } from "./tasks.ts";

export type QueueLength = { name: TaskName; waiting: number; ageSeconds: number; dead: number };

/** Lists the owners of more than `count` waiting tasks. */
export async function ownersWaiting(boss: PgBoss, name: TaskName, count: number): Promise<string[]> {
  const { rows } = await boss.getDb().executeSql(
    `select group_id as owner from pgboss.job where name = $1 and state < 'active' and group_id is not null
     group by group_id having count(*) > $2`,
    [name, count],
  );
  return rows.map(({ owner }) => owner);
}

/** Counts waiting tasks, up to `limit`. */
export async function countWaiting(boss: PgBoss, name: TaskName, limit: number): Promise<number> {
  const { rows } = await boss.getDb().executeSql(
    `select count(*)::integer as count from (
       select from pgboss.job where name = $1 and state < 'active' limit $2
     ) as job`,
    [name, limit],
  );
  return rows[0].count;
}

/** For each queue: how many tasks wait, how long the oldest that could begin has waited, how many were given up. */
export async function countByQueue(boss: PgBoss): Promise<QueueLength[]> {
  const { rows } = await boss.getDb().executeSql(
    `select name, count(*)::integer as waiting,
       coalesce(extract(epoch from now() - min(greatest(created_on, start_after)) filter (where start_after <= now())), 0)::float8 as age
     from pgboss.job where name = any($1) and state < 'active' group by name`,
    [taskNames.flatMap((name) => [name, `${name}-dead`])],
  );
  const found = new Map(rows.map((row) => [row.name as string, row]));
  return taskNames.map((name) => ({
    name,
    waiting: found.get(name)?.waiting ?? 0,
    ageSeconds: found.get(name)?.age ?? 0,
    dead: found.get(`${name}-dead`)?.waiting ?? 0,
  }));
}
