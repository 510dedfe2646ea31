import { sql } from "kysely";
import type { BlockKind } from "#contract/page-block.ts";
import type { Severity } from "#detection/severity/severity.ts";
import type { Database } from "#storage/database.ts";

export type ChangeRow = {
  id: string;
  job_id: string;
  created_at: Date;
  severity: Severity | null;
  summary: string;
  name: string;
  url: string;
  host: string;
  group_id: string;
  has_finding: boolean;
};

/** An account's newest changes of the last days. */
export async function listRecentChanges(
  db: Database,
  accountId: string,
  days: number,
  limit: number,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select executions.id, job_id, executions.created_at, severity, summary, jobs.name, jobs.url, jobs.host, jobs.group_id,
      coalesce(jsonb_array_length(verdict -> 'findings'), 0) > 0 as has_finding
    from executions
    join jobs on jobs.id = executions.job_id and jobs.account_id = ${accountId}
    left join verdicts on verdicts.execution_id = executions.id
    where executions.account_id = ${accountId} and changed
      and executions.created_at > now() - make_interval(days => ${days})
    order by executions.id desc limit ${limit}
  `.execute(db);
  return rows;
}

export type ItemRow = {
  execution_id: string;
  sign: "+" | "-";
  block_id: number;
  kind: BlockKind;
  text: string;
  weight: number;
};

/** At most this much of what one change added and removed is compared. */
const maxItems = 200;

/**
 * What each of the changes added and removed. The weight of a block is less the more often it comes and goes on the
 * pages that have it.
 */
export async function listChangedBlocks(db: Database, changes: ChangeRow[]): Promise<ItemRow[]> {
  if (changes.length === 0) return [];
  const jobIds = [...new Set(changes.map(({ job_id }) => job_id))];
  const ids = changes.map(({ id }) => id);
  const { rows } = await sql<ItemRow>`
    with item as materialized (
      select execution_id, sign, block_id from (
        select execution_id, sign, block_id, row_number() over (partition by execution_id order by block_id) as nth from (
          select first_id as execution_id, '+' as sign, block_id from page_stays
          where job_id = any(${jobIds}::uuid[]) and first_id = any(${ids}::uuid[])
          union all
          select gone_id, '-', block_id from page_stays
          where job_id = any(${jobIds}::uuid[]) and gone_id = any(${ids}::uuid[])
        ) as changed
      ) as numbered where nth <= ${maxItems}
    ), weight as materialized (
      select block_id, count(distinct job_id)::float / count(*) as weight from page_stays
      where block_id in (select block_id from item) group by block_id
    )
    select execution_id, sign, block_id, kind, text, weight from item
    join weight using (block_id) join page_blocks on page_blocks.id = block_id
  `.execute(db);
  return rows;
}
