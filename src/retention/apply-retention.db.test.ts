import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { applyRetention } from "./apply-retention.ts";
import { collectContents, shrinkTo } from "./delete-history.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
  engine.site.page.html = html(...story);
});
afterAll(() => engine.close());

/** A job with one real capture and a history of copies of it, one every twelve hours; every tenth is a change. */
async function createJobWithHistory(days: number, plan: "basic" | "ultimate" = "basic") {
  const person = await engine.person(plan);
  const jobId = await person.createJob();
  const { id } = await person.execution(jobId, 1);
  await sql`
    insert into executions (job_id, account_id, number, created_at, status_code, changed, similarity, summary, duration_ms, attempts, html, body, facts, picture)
    select job_id, account_id, n + 1, date_trunc('day', now()) - n * interval '12 hours', 200, n % 10 = 0, 100, 'No change', 1, 1, html, body, facts, picture
    from executions, generate_series(1, ${days * 2}::integer) as n where id = ${id}`.execute(engine.app.db);
  // The body is the HTML here, so an execution refers to that content twice.
  await sql`
    update contents set refs = refs + ${days * 2} * (
      select count(*) from executions, unnest(array[html, body, facts, picture]) as part where id = ${id} and part = hash)
    where account_id = ${person.accountId}`.execute(engine.app.db);
  await sql`update jobs set executions = ${days * 2 + 1} where id = ${jobId}`.execute(engine.app.db);
  return { ...person, jobId, baseline: id };
}

const remainingExecutions = async (jobId: string) =>
  (
    await sql<{ age: number; changed: boolean }>`
      select floor(extract(epoch from now() - created_at) / 86400)::integer as age, changed from executions where job_id = ${jobId} order by created_at`.execute(
      engine.app.db,
    )
  ).rows;

test("retention by days thins unchanged executions first and keeps changes up to the plan's limit", async () => {
  const { jobId, baseline } = await createJobWithHistory(60);
  await applyRetention(engine.app.jobs);
  const rows = await remainingExecutions(jobId);
  expect(Math.max(...rows.map(({ age }) => age))).toBeLessThanOrEqual(30);
  const changes = rows.filter(({ changed }) => changed).length;
  expect(changes).toBe(5);
  // All executions of the last three days stay, and one unchanged execution of each older day.
  const old = rows.filter(({ age, changed }) => age > 3 && !changed);
  expect(new Set(old.map(({ age }) => age)).size).toBe(old.length);
  expect(old.length).toBeGreaterThan(20);
  const baselineRows = await engine.app.db
    .selectFrom("executions")
    .select("id")
    .where("id", "=", baseline)
    .execute();
  expect(baselineRows).toHaveLength(1);
});

test("retention by days keeps the first execution of each day for every job of an account", async () => {
  const person = await createJobWithHistory(20);
  const otherJob = await person.createJob();
  await person.execution(otherJob, 1);
  await sql`
    insert into executions (job_id, account_id, number, created_at, status_code, changed, similarity, summary, duration_ms, attempts, html, body, facts, picture)
    select ${otherJob}, account_id, number, created_at, status_code, changed, similarity, summary, duration_ms, attempts, html, body, facts, picture
    from executions where job_id = ${person.jobId} and number > 1 order by id`.execute(engine.app.db);
  await applyRetention(engine.app.jobs);
  const rows = await remainingExecutions(otherJob);
  expect(rows.length).toBeGreaterThan(20);
  expect(rows).toEqual(await remainingExecutions(person.jobId));
});

test("retention by days keeps a failed check even if its day has successful ones", async () => {
  const { jobId } = await createJobWithHistory(20);
  const countFailed = async () =>
    (await engine.app.db.selectFrom("executions").select("id").where("failure", "is not", null).execute())
      .length;
  await sql`update executions set failure = 'dns' where job_id = ${jobId} and number % 2 = 0 and not changed`.execute(
    engine.app.db,
  );
  const failedBefore = await countFailed();
  await applyRetention(engine.app.jobs);
  expect(failedBefore).toBeGreaterThan(10);
  expect(await countFailed()).toBe(failedBefore);
});

test("retention by bytes deletes old unchanged executions, then old changes, never the baseline", async () => {
  const { jobId, accountId, baseline, call } = await createJobWithHistory(20, "ultimate");
  const before = await remainingExecutions(jobId);
  expect(await shrinkTo(engine.app.db, accountId, Number.MAX_SAFE_INTEGER)).toBe(0);
  expect(await remainingExecutions(jobId)).toEqual(before);
  // All executions share the contents of one capture, so no byte is freed until all others are deleted.
  await shrinkTo(engine.app.db, accountId, 0);
  expect(await remainingExecutions(jobId)).toHaveLength(1);
  expect((await call("GET", `/api/jobs/${jobId}/executions/${baseline}/html`)).status).toBe(200);
});

test("reference counts stay correct through retention and deletion", async () => {
  const { jobId, accountId, call } = await createJobWithHistory(60);
  await applyRetention(engine.app.jobs);
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
  await engine.waitFor("the deletion", async () => (await remainingExecutions(jobId)).length === 0);
  await collectContents(engine.app.db, engine.app.jobs.blobs, 0);
  const contents = await engine.app.db
    .selectFrom("contents")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  expect(contents).toEqual([]);
});

test("D3 deleting an account leaves none of its rows and files", async () => {
  const { jobId, accountId, call } = await createJobWithHistory(5);
  const files = await engine.app.db
    .selectFrom("contents")
    .select("blob")
    .where("account_id", "=", accountId)
    .execute();
  expect((await call("DELETE", "/api/me", { password: "correct1!" })).status).toBe(200);
  await engine.waitFor("the deletion", async () => (await remainingExecutions(jobId)).length === 0);
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
