import { sql } from "kysely";
import type { BlockKind, FoundStay, SearchQuery } from "#contract/page-block.ts";
import type { Database } from "#storage/database.ts";
import type { TextMatch } from "./match-text.ts";
import { counted } from "./stay-rows.ts";

export type SearchFilter = Pick<SearchQuery, "kind" | "jobId" | "groupId" | "tag" | "sort" | "limit"> & {
  groupIds?: string[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** Without the text index, a search reads this many of the account's newest lines. */
const maxScanned = 100_000;

type PeriodRow = { first_at: Date; pages: number; pages_now: number; gone_at: Date | null };
export type LineRow = PeriodRow & { id: number; kind: BlockKind; text: string; start: number; end: number };

/** Whether this database has the index on the texts of blocks, which needs pg_trgm and btree_gin. */
export async function hasTextIndex(db: Database): Promise<boolean> {
  const { rows } = await sql<{ is: boolean | null }>`
    select (select indisvalid from pg_index where indexrelid = to_regclass('page_blocks_account_text')) as is`.execute(
    db,
  );
  return rows[0]?.is === true;
}

/** The jobs that a search is limited to; null if it isn't. */
export async function findSearchedJobs(
  db: Database,
  accountId: string,
  { jobId, groupId, groupIds, tag }: SearchFilter,
): Promise<string[] | null> {
  if (!jobId && !groupId && !groupIds && !tag) return null;
  const { rows } = await sql<{ id: string }>`
    select id from jobs where account_id = ${accountId}
      and (${jobId ?? null}::uuid is null or id = ${jobId ?? null})
      and (${groupId ?? null}::uuid is null or group_id = ${groupId ?? null})
      and (${groupIds ?? null}::uuid[] is null or group_id = any(${groupIds ?? null}))
      and (${tag ?? null}::text is null or settings -> 'tags' ? ${tag ?? null})
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The stays that count: of the searched jobs, and within the period. */
function isWanted({ from, to }: SearchFilter, jobIds: string[] | null) {
  const conditions = [
    ...(jobIds ? [sql`stay.job_id = any(${jobIds}::uuid[])`] : []),
    ...(from ? [sql`(stay.gone_at is null or stay.gone_at > ${from})`] : []),
    ...(to ? [sql`stay.first_at < ${to}`] : []),
  ];
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

type Times = { first_at: string | null; gone_at: string | null };

/** The lines that match, those that appeared last first, and all of them together. */
export async function findLines(
  db: Database,
  accountId: string,
  filter: SearchFilter,
  {
    match,
    jobIds,
    maxLines,
    isScanned,
  }: { match: TextMatch; jobIds: string[] | null; maxLines: number; isScanned: boolean },
) {
  const { kind, jobId, sort, limit } = filter;
  const order = orders[sort];
  const searched = jobId
    ? sql`page_blocks where id in (select block_id from page_stays where job_id = ${jobId}) and account_id = ${accountId}`
    : isScanned
      ? sql`(select * from page_blocks where account_id = ${accountId} order by id desc limit ${maxScanned}) as newest where true`
      : sql`page_blocks where account_id = ${accountId}`;
  const { rows } = await sql<{
    matched: number;
    to_index: number;
    total: (Omit<PeriodRow, keyof Times> & Times) | null;
    lines: (Omit<LineRow, keyof Times> & Times & { first_at: string })[] | null;
  }>`
    with matched as materialized (
      select id, kind, text, ${match.start} as start, ${match.end} as end from ${searched}
        and ${kind ? sql`kind = ${sql.lit(kind)}` : sql`true`} and ${match.matches}
      ${isScanned || match.isIndexable ? sql`` : sql`order by id desc`} limit ${maxLines + 1}
    ), seen as materialized (
      select stay.block_id, stay.job_id, stay.first_at, stay.gone_at from matched
      join page_stays as stay on stay.block_id = matched.id
      where ${isWanted(filter, jobIds)}
    ), newest as materialized (
      select block_id as id, ${period} from seen group by block_id order by ${order} limit ${limit + 1}
    ), lines as (select * from newest join matched using (id))
    select (select count(*) from matched) as matched,
      (select count(*) from jobs left join page_index_heads as head on head.job_id = jobs.id
        where jobs.account_id = ${accountId} and executions > 0 and is_live is not true) as to_index,
      (select to_jsonb(total) from (select ${period} from seen) as total) as total,
      (select jsonb_agg(to_jsonb(lines) order by ${order}) from lines) as lines
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a row that is always there was not");
  const { matched, to_index, total, lines } = row;
  return {
    matched,
    jobsToIndex: to_index,
    total: total?.first_at
      ? { ...total, first_at: new Date(total.first_at), gone_at: toDate(total.gone_at) }
      : null,
    lines: (lines ?? []).map(
      (line): LineRow => ({ ...line, first_at: new Date(line.first_at), gone_at: toDate(line.gone_at) }),
    ),
  };
}

const orders = {
  newest: sql`first_at desc, id desc`,
  fewest: sql`pages_now, first_at desc, id desc`,
  most: sql`pages_now desc, first_at desc, id desc`,
};

const period = sql`min(first_at) as first_at, count(distinct job_id) as pages,
  count(distinct job_id) filter (where gone_at is null) as pages_now, max(gone_at) as gone_at`;

const toDate = (text: string | null) => (text === null ? null : new Date(text));

/** The newest stays of each of the lines. */
export async function findStays(
  db: Database,
  accountId: string,
  filter: SearchFilter,
  lines: { ids: number[]; jobIds: string[] | null; each: number },
): Promise<Map<number, FoundStay[]>> {
  if (lines.ids.length === 0) return new Map();
  const { rows } = await sql<{
    block_id: number;
    job_id: string;
    name: string;
    url: string;
    group_id: string;
    first_id: string;
    first_at: Date;
    last_id: string;
    gone_id: string | null;
    gone_at: Date | null;
  }>`
    select stay.*, last.id as last_id from unnest(${lines.ids}::bigint[]) as line (id)
    cross join lateral (
      select stay.*, jobs.name, jobs.url, jobs.group_id from page_stays as stay
      join jobs on jobs.id = stay.job_id and jobs.account_id = ${accountId}
      where stay.block_id = line.id and ${isWanted(filter, lines.jobIds)}
      order by stay.first_at desc limit ${lines.each}
    ) as stay
    cross join lateral (
      select id from executions
      where job_id = stay.job_id and id >= stay.first_id and (stay.gone_id is null or id < stay.gone_id) and ${counted}
      order by id desc limit 1
    ) as last
    order by stay.first_at desc
  `.execute(db);
  const found = rows.map((row) => ({
    blockId: row.block_id,
    stay: {
      jobId: row.job_id,
      job: row.name,
      url: row.url,
      groupId: row.group_id,
      firstAt: row.first_at.toISOString(),
      firstExecutionId: row.first_id,
      lastExecutionId: row.last_id,
      goneAt: row.gone_at?.toISOString() ?? null,
      goneExecutionId: row.gone_id,
    },
  }));
  return new Map(
    [...Map.groupBy(found, ({ blockId }) => blockId)].map(([id, all]) => [id, all.map(({ stay }) => stay)]),
  );
}
