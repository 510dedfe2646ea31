import { type Insertable, type Selectable, sql } from "kysely";
import type { CaptureFailure } from "#contract/capture.ts";
import type { NotRequested, siteStatuses } from "#contract/site.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";
import type { SiteListToRead, StoredRobots } from "./site-tables.ts";

export type SiteRunRow = Selectable<Schema["site_runs"]>;
export type SitePageRow = Selectable<Schema["site_pages"]>;
export type NewSitePage = Insertable<Schema["site_pages"]>;

const keptRuns = 50;

export async function findLastRun(
  db: Database,
  accountId: string,
  jobId: string,
): Promise<SiteRunRow | undefined> {
  return db
    .selectFrom("site_runs")
    .selectAll()
    .where("job_id", "=", jobId)
    .where("account_id", "=", accountId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Begins the next run of a job that the caller has locked. What earlier runs found endless stays known. */
export async function insertRun(
  tx: Database,
  job: { id: string; account_id: string; target_version: number },
): Promise<SiteRunRow> {
  const last = await findLastRun(tx, job.account_id, job.id);
  const isSameTarget = last?.target_version === job.target_version;
  await tx
    .deleteFrom("site_runs")
    .where("job_id", "=", job.id)
    .where("number", "<=", (last?.number ?? 0) - keptRuns)
    .execute();
  return tx
    .insertInto("site_runs")
    .values({
      job_id: job.id,
      account_id: job.account_id,
      target_version: job.target_version,
      number: (last?.number ?? 0) + 1,
      ...(isSameTarget && { endless: JSON.stringify(last.endless) }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

type RunChange = {
  state?: SiteRunRow["state"];
  failure?: CaptureFailure;
  lists?: SiteListToRead[];
  listsRead?: string[];
  robots?: Record<string, StoredRobots>;
  notes?: Record<string, string>;
  endless?: Record<string, string>;
};

/** Changes a run that isn't over. */
export async function updateRun(db: Database, id: string, change: RunChange): Promise<void> {
  const { state, failure, lists, listsRead, robots, notes, endless } = change;
  await db
    .updateTable("site_runs")
    .set({
      ...(state && { state }),
      ...(state === "crawled" && { finished_at: sql<Date>`now()` }),
      ...(failure && { failure: JSON.stringify(failure) }),
      ...(lists && { lists: JSON.stringify(lists) }),
      ...(listsRead && { lists_read: JSON.stringify(listsRead) }),
      ...(robots && { robots: JSON.stringify(robots) }),
      ...(notes && { notes: JSON.stringify(notes) }),
      ...(endless && { endless: JSON.stringify(endless) }),
    })
    .where("id", "=", id)
    .where("state", "in", ["running", "paused"])
    .execute();
}

/** Counts one request of a run, answered or not. */
export async function countRequest(
  tx: Database,
  id: string,
  {
    bytes,
    ms,
    isAnswered,
    byBrowser,
  }: { bytes: number; ms: number; isAnswered: boolean; byBrowser: boolean },
): Promise<void> {
  await sql`update site_runs set requested = requested + 1, bytes = bytes + ${Math.round(bytes)},
    active_ms = active_ms + ${Math.round(ms)}, by_browser = by_browser + ${byBrowser ? 1 : 0},
    unanswered = case when ${isAnswered} then 0 else unanswered + 1 end where id = ${id}`.execute(tx);
}

/** Pauses or resumes the run that isn't over; returns whether there was one. */
export async function setRunState(
  tx: Database,
  accountId: string,
  jobId: string,
  state: "running" | "paused",
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("site_runs")
    .set({ state })
    .where("job_id", "=", jobId)
    .where("account_id", "=", accountId)
    .where("state", "in", ["running", "paused"])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function markRunsRecorded(db: Database, jobId: string): Promise<void> {
  await db
    .updateTable("site_runs")
    .set({ state: "recorded" })
    .where("job_id", "=", jobId)
    .where("state", "=", "crawled")
    .execute();
}

/** The next addresses that a run requests: those known from earlier runs, then new ones, then those to ask again. */
export async function listToRequest(
  db: Database,
  jobId: string,
  run: number,
  limit: number,
): Promise<SitePageRow[]> {
  return db
    .selectFrom("site_pages")
    .selectAll()
    .where("job_id", "=", jobId)
    .where("why", "is", null)
    .where("run", "<", run)
    .orderBy("run", "desc")
    .orderBy("rank")
    .orderBy("identity")
    .limit(limit)
    .execute();
}

/** Makes an address the start of its site, and no other. */
export async function putStart(db: Database, page: NewSitePage): Promise<void> {
  await db
    .updateTable("site_pages")
    .set({ source: "link" })
    .where("job_id", "=", page.job_id)
    .where("source", "=", "start")
    .where("identity", "<>", page.identity)
    .execute();
  await db
    .insertInto("site_pages")
    .values(page)
    .onConflict((conflict) =>
      conflict.columns(["job_id", "identity"]).doUpdateSet({ source: "start", depth: 0, rank: 0, why: null }),
    )
    .execute();
}

/** Adds addresses that aren't known yet; returns the added ones. An address that scripts named becomes a page's. */
export async function insertPages(
  tx: Database,
  pages: NewSitePage[],
): Promise<Pick<SitePageRow, "identity" | "family">[]> {
  const added: Pick<SitePageRow, "identity" | "family">[] = [];
  // A statement has at most 65,535 parameters.
  for (let at = 0; at < pages.length; at += 1000)
    added.push(
      ...(await tx
        .insertInto("site_pages")
        .values(pages.slice(at, at + 1000))
        .onConflict((conflict) =>
          conflict
            .columns(["job_id", "identity"])
            .doUpdateSet((eb) => ({
              why: null,
              source: eb.ref("excluded.source"),
              found_on: eb.ref("excluded.found_on"),
              depth: eb.ref("excluded.depth"),
              rank: eb.ref("excluded.rank"),
            }))
            .where("site_pages.why", "=", "script")
            .where("excluded.why" as "site_pages.why", "is", null),
        )
        .returning(["identity", "family"])
        .execute()),
    );
  return added;
}

/** Writes what a run found at an address, once: false if another attempt has written it. */
export async function updatePage(
  tx: Database,
  page: Pick<SitePageRow, "job_id" | "identity">,
  run: number,
  values: Partial<Omit<NewSitePage, "job_id" | "account_id" | "identity">>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("site_pages")
    .set(values)
    .where("job_id", "=", page.job_id)
    .where("identity", "=", page.identity)
    .where("run", "<", run)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What the last pages of a family led to, and how many of them say the same. */
export async function readFamily(db: Database, jobId: string, family: string, count: number) {
  const { rows } = await sql<{ requested: number; yielded: number; alike: number }>`
    with last as (
      select yield, text_hash from site_pages
      where job_id = ${jobId} and family = ${family} and checked_at is not null
      order by checked_at desc limit ${count})
    select count(*)::integer as requested, coalesce(sum(yield), 0)::integer as yielded,
      coalesce((select max(same) from (select count(*)::integer as same from last
        where text_hash is not null group by text_hash) as counted), 0)::integer as alike
    from last`.execute(db);
  return rows[0] ?? { requested: 0, yielded: 0, alike: 0 };
}

/** How many addresses of a family there are, up to a limit, and how many values the parameter with the most has. */
export async function countCombinations(db: Database, jobId: string, family: string, limit: number) {
  const { rows } = await sql<{ addresses: number; values: number }>`
    with known as (select address from site_pages where job_id = ${jobId} and family = ${family} limit ${limit})
    select (select count(*) from known)::integer as addresses, coalesce(max(count), 0)::integer as values from (
      select count(distinct parameter) as count
      from known, string_to_table(split_part(address, '?', 2), '&') as parameter
      group by split_part(parameter, '=', 1)) as counted`.execute(db);
  return rows[0] ?? { addresses: 0, values: 0 };
}

/** Whether another address of the site, which differs only in capitals, shows the same. */
export async function isShownElsewhere(db: Database, page: SitePageRow, textHash: string): Promise<boolean> {
  if (page.identity === page.identity.toLowerCase()) return false;
  const { rows } = await sql`select from site_pages where job_id = ${page.job_id}
    and identity = ${page.identity.toLowerCase()} and text_hash = ${textHash}`.execute(db);
  return rows.length > 0;
}

export async function countPages(db: Database, jobId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from site_pages where job_id = ${jobId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function countNotRequested(db: Database, jobId: string, run: number) {
  const { rows } = await sql<{ why: NotRequested | null; count: number }>`
    select why, count(*)::integer as count from site_pages
    where job_id = ${jobId} and (why is not null or run < ${run}) group by why`.execute(db);
  return new Map(rows.map(({ why, count }) => [why, count]));
}

/** What robots.txt kept from us may be allowed by now. */
export async function reopenPages(db: Database, jobId: string): Promise<void> {
  await db
    .updateTable("site_pages")
    .set({ why: null })
    .where("job_id", "=", jobId)
    .where("why", "=", "robots")
    .execute();
}

/** Removes addresses that aren't part of the site any more, when its limits have changed. */
export async function deletePages(db: Database, jobId: string, identities: string[]): Promise<void> {
  for (let at = 0; at < identities.length; at += 10_000)
    await db
      .deleteFrom("site_pages")
      .where("job_id", "=", jobId)
      .where("identity", "in", identities.slice(at, at + 10_000))
      .execute();
}

/** The addresses of a site in order, in parts, so that no part takes much memory. */
export async function* readPages(db: Database, jobId: string): AsyncGenerator<SitePageRow[]> {
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom("site_pages")
      .selectAll()
      .where("job_id", "=", jobId)
      .where("identity", ">", after)
      .orderBy("identity")
      .limit(5000)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < 5000) return;
    after = rows.at(-1)?.identity ?? "";
  }
}

/**
 * Takes the next turn at a host, which is as long as `gapMs` after the turn before it, whoever took that. Returns how
 * long to wait for the turn; a turn that is further off than `patienceMs`, or after the host's pause, isn't taken.
 */
export async function takeTurn(
  db: Database,
  {
    host,
    accountId,
    gapMs,
    patienceMs,
  }: { host: string; accountId: string; gapMs: number; patienceMs: number },
): Promise<{ isTaken: boolean; waitMs: number }> {
  const { rows } = await sql<{ taken: number | null; wait: number }>`
    with pause as (
      select coalesce(max(until), '-infinity') as until from (
        select until from host_pauses where host = ${host}
        union all select until from account_pauses where host = ${host} and account_id = ${accountId}) as pauses
    ), taken as (
      insert into site_hosts (host, next_at)
      select ${host}, now() + ${gapMs} * interval '1 millisecond' from pause where until <= now()
      on conflict (host) do update
        set next_at = greatest(site_hosts.next_at, now()) + ${gapMs} * interval '1 millisecond'
        where site_hosts.next_at <= now() + ${patienceMs} * interval '1 millisecond'
      returning extract(epoch from next_at - now()) * 1000 - ${gapMs} as wait
    )
    select (select wait::float8 from taken) as taken,
      (extract(epoch from greatest((select until from pause where until > now()),
        (select next_at from site_hosts where host = ${host}), now()) - now()) * 1000)::float8 as wait`.execute(
    db,
  );
  const { taken = null, wait = 0 } = rows[0] ?? {};
  return taken === null
    ? { isTaken: false, waitMs: Math.max(wait, 100) }
    : { isTaken: true, waitMs: Math.max(taken, 0) };
}

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
