import { sql } from "kysely";
import type { BlockKind } from "#contract/page-block.ts";
import type { Database } from "#storage/database.ts";
import type { TextMatch } from "./match-text.ts";

export type NewLine = { id: number; kind: BlockKind; text: string; start: number; end: number };

type Wanted = { match: TextMatch; kind: BlockKind | null; groupIds: string[] | null; limit: number };

/** The lines that match among those that an execution saw first, on the pages of these groups or of all jobs. */
export async function findNewLines(
  db: Database,
  { accountId, executionId }: { accountId: string; executionId: string },
  { match, kind, groupIds, limit }: Wanted,
): Promise<NewLine[]> {
  const inGroups = groupIds ? sql`jobs.group_id = any(${groupIds}::uuid[])` : sql`true`;
  const { rows } = await sql<NewLine>`
    select page_blocks.id, kind, text, ${match.start} as start, ${match.end} as end
    from executions join jobs on jobs.id = executions.job_id
    join page_stays as stay on stay.job_id = jobs.id and stay.first_id = executions.id
    join page_blocks on page_blocks.id = stay.block_id
    where executions.id = ${executionId} and executions.account_id = ${accountId} and jobs.account_id = ${accountId}
      and ${inGroups} and ${kind ? sql`kind = ${kind}` : sql`true`} and ${match.matches}
      and not exists (
        select from page_stays as earlier join jobs on jobs.id = earlier.job_id and jobs.account_id = ${accountId}
        where earlier.block_id = stay.block_id and earlier.first_id < stay.first_id and ${inGroups})
    order by page_blocks.id limit ${limit}
  `.execute(db);
  return rows;
}

/** Throws if PostgreSQL can't read the pattern. */
export async function assertReadable(db: Database, { matches }: TextMatch): Promise<void> {
  await sql`select ${matches} from (select 'any text'::text as text) as line`.execute(db);
}
