import { sql } from "kysely";
import type { siteStatuses } from "#contract/site.ts";
import type { Database } from "./database.ts";
import type { SitePageRow } from "./sites.ts";

/** What a list of a site's addresses is narrowed to. */
export type PageFilter = {
  search?: string | undefined;
  status?: (typeof siteStatuses)[number] | undefined;
  source?: SitePageRow["source"] | undefined;
  below?: string | undefined;
};

const matching = (jobId: string, run: number, { search, status, source, below }: PageFilter) => {
  const words = (search ?? "").split(/\s+/).filter((word) => word !== "");
  const conditions = {
    ok: sql<boolean>`why is null and status < 300`,
    moved: sql<boolean>`why is null and status between 300 and 399`,
    broken: sql<boolean>`why is null and (status >= 400 or failure is not null)`,
    listed: sql<boolean>`why is not null`,
    waiting: sql<boolean>`why is null and run < ${run}`,
  };
  return sql<boolean>`${sql.join(
    [
      sql`job_id = ${jobId}`,
      ...words.map((word) => {
        const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
        return sql`(address ilike ${pattern} or title ilike ${pattern})`;
      }),
      ...(status ? [conditions[status]] : []),
      ...(source ? [sql`source = ${source}`] : []),
      ...(below ? [sql`starts_with(identity, ${below})`] : []),
    ],
    sql` and `,
  )}`;
};

const orders = {
  address: sql`identity`,
  newest: sql`first_seen desc, identity`,
  size: sql`bytes desc nulls last, identity`,
  depth: sql`depth, identity`,
} as const;

export async function listPages(
  db: Database,
  jobId: string,
  run: number,
  {
    sort,
    offset,
    limit,
    ...filter
  }: PageFilter & { sort: keyof typeof orders; offset: number; limit: number },
): Promise<{ pages: SitePageRow[]; total: number }> {
  const where = matching(jobId, run, filter);
  const [{ rows: pages }, { rows: counted }] = await Promise.all([
    sql<SitePageRow>`select * from site_pages where ${where}
      order by ${orders[sort]} limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`select count(*)::integer as total from site_pages where ${where}`.execute(db),
  ]);
  return { pages, total: counted[0]?.total ?? 0 };
}

/** The folders directly below one, with how many addresses each has. A folder ends with a slash. */
export async function listFolders(
  db: Database,
  jobId: string,
  below: string,
  limit: number,
): Promise<{ name: string; pages: number }[]> {
  const { rows } = await sql<{ name: string; pages: number }>`
    select name, count(*)::integer as pages from (
      select substring(substr(identity, ${below.length + 1}::integer) from '^[^/?]*/') as name from site_pages
      where job_id = ${jobId} and starts_with(identity || '/', ${below})
        and (why is null or why in ('script', 'robots'))) as parts
    where name is not null group by name order by name limit ${limit}`.execute(db);
  return rows;
}

export async function countStates(db: Database, jobId: string, run: number) {
  const { rows } = await sql<{ pages: number; known: number; waiting: number }>`
    select count(*) filter (where why is null and status < 300)::integer as pages,
      count(*)::integer as known,
      count(*) filter (where why is null and run < ${run})::integer as waiting
    from site_pages where job_id = ${jobId}`.execute(db);
  return rows[0] ?? { pages: 0, known: 0, waiting: 0 };
}

/** How many addresses of one folder that differ only in their last part are shown as one template. */
const alikeInFolder = 5;

/** The templates of a site's pages: addresses of one shape that are built alike, with how many there are of each. */
export async function listTemplates(db: Database, jobId: string, limit: number) {
  const { rows } = await sql<{
    template: string;
    skeletons: number;
    pages: number;
    example: string;
    title: string;
  }>`
    with page as (
      select template, skeleton, address, title, split_part(template, '?', 1) as path from site_pages
      where job_id = ${jobId} and why is null and status < 300 and skeleton is not null
    ), placed as (
      select *, regexp_replace(path, '[^/]+/?$', '') as folder,
        path !~ '[{][^/]*$' and template not like '%?%' and path <> '/' as is_named
      from page
    ), counted as (
      select folder, skeleton from placed where is_named
      group by folder, skeleton having count(*) >= ${alikeInFolder}
    ), shaped as (
      select case when placed.is_named and counted.folder is not null then placed.folder || '{…}'
        else template end as template, placed.skeleton, address, title
      from placed left join counted using (folder, skeleton)
    )
    select template, count(distinct skeleton)::integer as skeletons, count(*)::integer as pages,
      min(address) as example, min(title) as title
    from shaped group by template order by pages desc, template limit ${limit}`.execute(db);
  return rows;
}
