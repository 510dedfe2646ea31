import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectContents, shrinkTo } from "#storage/retention.ts";
import { retain } from "./retain.ts";
import { startTestEngine } from "./testing/engine.ts";
import { html, story } from "./testing/page.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
  engine.site.page.html = html(...story);
});
afterAll(() => engine.close());

/** A job with one real capture and a history of it, one every twelve hours; every tenth is a change. */
async function withHistory(days: number, plan: "basic" | "ultimate" = "basic") {
  const person = await engine.person(plan);
  const jobId = await person.createJob();
  const { id } = await person.execution(jobId, 1);
  await sql`
    insert into executions (job_id, account_id, number, created_at, status_code, changed, similarity, summary, duration_ms, attempts, html, body, facts, picture)
    select job_id, account_id, n + 1, date_trunc('day', now()) - n * interval '12 hours', 200, n % 10 = 0, 100, 'No change', 1, 1, html, body, facts, picture
    from executions, generate_series(1, ${days * 2}::integer) as n where id = ${id}`.execute(engine.app.db);
  // The body is the HTML here, so an execution refers to that twice.
  await sql`
    update contents set refs = refs + ${days * 2} * (
      select count(*) from executions, unnest(array[html, body, facts, picture]) as part where id = ${id} and part = hash)
    where account_id = ${person.accountId}`.execute(engine.app.db);
  await sql`update jobs set executions = ${days * 2 + 1} where id = ${jobId}`.execute(engine.app.db);
  return { ...person, jobId, baseline: id };
}

const left = async (jobId: string) =>
  (
    await sql<{ age: number; changed: boolean }>`
      select floor(extract(epoch from now() - created_at) / 86400)::integer as age, changed from executions where job_id = ${jobId} order by created_at`.execute(
      engine.app.db,
    )
  ).rows;

test("by days: unchanged ones are thinned first, changes stay longest, nothing outlives the plan", async () => {
  const { jobId, baseline } = await withHistory(60);
  await retain(engine.app.jobs);
  const rows = await left(jobId);
  expect(Math.max(...rows.map(({ age }) => age))).toBeLessThanOrEqual(30);
  const changes = rows.filter(({ changed }) => changed).length;
  expect(changes).toBe(5);
  // Of the last three days all, of each older day one unchanged.
  const old = rows.filter(({ age, changed }) => age > 3 && !changed);
  expect(new Set(old.map(({ age }) => age)).size).toBe(old.length);
  expect(old.length).toBeGreaterThan(20);
  const kept = await engine.app.db.selectFrom("executions").select("id").where("id", "=", baseline).execute();
  expect(kept).toHaveLength(1);
});

test("by days: each job of an account keeps the first of its own days", async () => {
  const person = await withHistory(20);
  const beside = await person.createJob();
  await person.execution(beside, 1);
  await sql`
    insert into executions (job_id, account_id, number, created_at, status_code, changed, similarity, summary, duration_ms, attempts, html, body, facts, picture)
    select ${beside}, account_id, number, created_at, status_code, changed, similarity, summary, duration_ms, attempts, html, body, facts, picture
    from executions where job_id = ${person.jobId} and number > 1 order by id`.execute(engine.app.db);
  await retain(engine.app.jobs);
  const rows = await left(beside);
  expect(rows.length).toBeGreaterThan(20);
  expect(rows).toEqual(await left(person.jobId));
});

test("by days: a failure is not thinned away by the good checks of its day", async () => {
  const { jobId } = await withHistory(20);
  const failed = async () =>
    (await engine.app.db.selectFrom("executions").select("id").where("failure", "is not", null).execute())
      .length;
  await sql`update executions set failure = 'dns' where job_id = ${jobId} and number % 2 = 0 and not changed`.execute(
    engine.app.db,
  );
  const before = await failed();
  await retain(engine.app.jobs);
  expect(before).toBeGreaterThan(10);
  expect(await failed()).toBe(before);
});

test("by bytes: the oldest unchanged go first, then the oldest changes, never the baseline", async () => {
  const { jobId, accountId, baseline, call } = await withHistory(20, "ultimate");
  const before = await left(jobId);
  expect(await shrinkTo(engine.app.db, accountId, Number.MAX_SAFE_INTEGER)).toBe(0);
  expect(await left(jobId)).toEqual(before);
  // One real capture is all there is, so nothing short of everything frees a byte.
  await shrinkTo(engine.app.db, accountId, 0);
  expect(await left(jobId)).toHaveLength(1);
  expect((await call("GET", `/api/jobs/${jobId}/executions/${baseline}/html`)).status).toBe(200);
});

test("references are counted right through all of it", async () => {
  const { jobId, accountId, call } = await withHistory(60);
  await retain(engine.app.jobs);
  const { rows } = await sql<{ refs: number; counted: number }>`
    select refs,
      (select count(*) from executions, unnest(array[html, body, facts, picture]) as part
        where account_id = ${accountId} and part = contents.hash)
      + (select count(*) from contents as other where other.account_id = ${accountId} and other.base = contents.hash)
      as counted
    from contents where account_id = ${accountId}`.execute(engine.app.db);
  expect(rows.length).toBeGreaterThan(2);
  for (const { refs, counted } of rows) expect(refs).toBe(counted);
  await call("DELETE", `/api/jobs/${jobId}`);
  await engine.waitFor("forgetting", async () => (await left(jobId)).length === 0);
  await collectContents(engine.app.db, engine.app.jobs.blobs, 0);
  const contents = await engine.app.db
    .selectFrom("contents")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  expect(contents).toEqual([]);
});

test("D3 an account's deletion leaves no row and no file of it", async () => {
  const { jobId, accountId, call } = await withHistory(5);
  const files = await engine.app.db
    .selectFrom("contents")
    .select("blob")
    .where("account_id", "=", accountId)
    .execute();
  expect((await call("DELETE", "/api/me", { password: "correct1!" })).status).toBe(200);
  await engine.waitFor("forgetting", async () => (await left(jobId)).length === 0);
  await engine.waitFor("contents", async () => {
    const rows = await engine.app.db
      .selectFrom("contents")
      .select("hash")
      .where("account_id", "=", accountId)
      .execute();
    return rows.length === 0;
  });
  for (const table of [
    "jobs",
    "groups",
    "executions",
    "notifications",
    "events",
    "account_usage",
    "contents",
  ] as const) {
    const rows = await engine.app.db
      .selectFrom(table)
      .select("account_id")
      .where("account_id", "=", accountId)
      .execute();
    expect({ table, rows }).toEqual({ table, rows: [] });
  }
  expect(
    await engine.app.db.selectFrom("job_logs").select("id").where("job_id", "=", jobId).execute(),
  ).toEqual([]);
  for (const { blob } of files) {
    await engine.waitFor("the file's end", async () => !(await engine.app.jobs.blobs.has(accountId, blob)));
  }
});
