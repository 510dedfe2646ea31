import { type Insertable, type Selectable, sql } from "kysely";
import type { CaptureFailure } from "#contract/capture.ts";
import type { NotRequested } from "#contract/site.ts";
import { addStoredBytes } from "./contents.ts";
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

/** What is shown of the newest run: the rest may be large, and is needed by crawling only. */
export async function findRunSummary(db: Database, accountId: string, jobId: string) {
  return db
    .selectFrom("site_runs")
    .select(["number", "target_version", "state", "started_at", "finished_at", "active_ms"])
    .select(["requested", "bytes", "failure", "notes"])
    .select(sql<number>`jsonb_array_length(lists)`.as("lists"))
    .where("job_id", "=", jobId)
    .where("account_id", "=", accountId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}
export type RunSummary = NonNullable<Awaited<ReturnType<typeof findRunSummary>>>;

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

/** Those of the addresses that a site has. */
export async function listKnown(tx: Database, jobId: string, identities: string[]): Promise<string[]> {
  const { rows } = await sql<{ identity: string }>`
    select identity from site_pages where job_id = ${jobId} and identity = any(${identities}::text[])`.execute(
    tx,
  );
  return rows.map(({ identity }) => identity);
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

/** A page may have kilobytes of addresses and script hosts. */
const pagesAtOnce = 1000;

/** The addresses of a site in order, in parts, so that no part takes much memory. */
export async function* readPages<Column extends keyof SitePageRow>(
  db: Database,
  jobId: string,
  columns: readonly Column[],
): AsyncGenerator<Pick<SitePageRow, Column | "identity">[]> {
  for (let after = ""; ; ) {
    const rows = (await db
      .selectFrom("site_pages")
      .select(["identity", ...columns])
      .where("job_id", "=", jobId)
      .where("identity", ">", after)
      .orderBy("identity")
      .limit(pagesAtOnce)
      .execute()) as unknown as Pick<SitePageRow, Column | "identity">[];
    if (rows.length > 0) yield rows;
    if (rows.length < pagesAtOnce) return;
    after = rows.at(-1)?.identity ?? "";
  }
}

/** Counts what the inventory of a site takes of its account's storage. */
export async function recordSiteUsage(tx: Database, accountId: string, jobId: string): Promise<void> {
  const { rows } = await sql<{ grown: number }>`
    with measured as (
      select coalesce(sum(pg_column_size(site_pages)), 0)::bigint as bytes from site_pages where job_id = ${jobId}
    ), known as (
      select coalesce((select bytes from site_usage where job_id = ${jobId}), 0) as bytes
    ), written as (
      insert into site_usage (job_id, account_id, bytes) select ${jobId}, ${accountId}, bytes from measured
      on conflict (job_id) do update set bytes = excluded.bytes
    )
    select (measured.bytes - known.bytes)::float8 as grown from measured, known`.execute(tx);
  await addStoredBytes(tx, accountId, rows[0]?.grown ?? 0);
}

export async function storedBytesOf(db: Database, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("account_usage")
    .select("stored_bytes")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.stored_bytes ?? 0;
}

/** Names the job whose capture is the scope list of a site. */
export async function setSiteScope(
  db: Database,
  accountId: string,
  jobId: string,
  scope: string | null,
): Promise<void> {
  await sql`
    update jobs set settings = jsonb_set(settings, '{site,scope}', ${JSON.stringify(scope)}::jsonb)
    where id = ${jobId} and account_id = ${accountId} and settings ? 'site'`.execute(db);
}
