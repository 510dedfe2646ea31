import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openQueue, type Queue } from "#queue/queue.ts";
import { type OpenDatabase, openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { enqueueDue } from "./enqueue-due.ts";
import { claimDue, recordTick, resumeRhythm, startRhythm } from "./schedule-rows.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
let databases: OpenDatabase[];
let queues: Queue[];

beforeAll(async () => {
  copy = await copyDatabase();
  databases = Array.from({ length: 4 }, () => openDatabase(copy.connectionString));
  queues = await Promise.all(databases.map(() => openQueue(copy.connectionString, { supervise: false })));
});
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.close()));
  await Promise.all(databases.map((database) => database.close()));
  await copy.drop();
});

const db = () => (databases[0] as OpenDatabase).db;
const schedulers = () => databases.map(({ db }, i) => ({ db, queue: queues[i] as Queue }));
const scheduler = () => schedulers()[0] as { db: OpenDatabase["db"]; queue: Queue };

beforeEach(async () => {
  await sql`truncate accounts, groups, jobs, job_logs, events cascade`.execute(db());
  await sql`delete from pgboss.job where name = 'execute'`.execute(db());
  await sql`update schedule_state set ticked_at = now()`.execute(db());
});

/** Inserts jobs directly into the table; `due` is an interval from now. */
async function insertJobs(
  count: number,
  due: string,
  options: { accounts?: number; frequency?: number; status?: string } = {},
) {
  const { accounts = 1, frequency = 60, status = "ACTIVE" } = options;
  const accountIds = Array.from({ length: accounts }, () => randomUUID());
  for (const id of accountIds) {
    await sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)
      values (${id}, ${id}, ${id}, 'A', 'B', '', '', decode(replace(${id}, '-', ''), 'hex'))`.execute(db());
    await sql`insert into groups (id, account_id, name) values (${id}, ${id}, 'G')`.execute(db());
  }
  const { rows } = await sql<{ id: string }>`
    insert into jobs (account_id, group_id, name, url, host, status, frequency_minutes, ignore)
    select owner, owner, 'Job ' || i, 'http://a.example/', 'a.example', ${status}, ${frequency}, '[]'
    from generate_series(1, ${count}::integer) as i, lateral (select (${accountIds}::uuid[])[1 + i % ${accounts}] as owner) as o
    returning id`.execute(db());
  const ids = rows.map((row) => row.id);
  await sql`
    update schedules set rhythm_at = now() + ${due}::interval, next_run_at = now() + ${due}::interval
    where job_id = any(${ids}::uuid[])`.execute(db());
  return { ids, accountIds };
}

const readQueue = async () =>
  (
    await sql<{
      id: string;
      priority: number;
    }>`select data ->> 'jobId' as id, priority from pgboss.job where name = 'execute' order by priority desc, created_on`.execute(
      db(),
    )
  ).rows;

describe("claiming due jobs", () => {
  test("several schedulers at once claim each due job exactly once", async () => {
    const { ids } = await insertJobs(1000, "-1 second", { accounts: 10 });
    await insertJobs(50, "1 hour");
    const drain = async (deps: ReturnType<typeof scheduler>) => {
      let claimed = 0;
      for (let count = 1; count > 0; claimed += count) count = await enqueueDue(deps, 37);
      return claimed;
    };
    const counts = await Promise.all(schedulers().map(drain));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1);
    expect((await readQueue()).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  test("a pass continues where it stopped, and the next pass finds the jobs that a scheduler gave back", async () => {
    await insertJobs(10, "-3 seconds");
    await insertJobs(20, "-2 seconds");
    const pass = { from: null };
    const counts: number[] = [];
    const giveBack = db()
      .transaction()
      .execute(async (tx) => {
        expect((await claimDue(tx, 10)).claims).toHaveLength(10);
        for (let i = 0; i < 3; i++) counts.push(await enqueueDue(schedulers()[1] ?? scheduler(), 15, pass));
        throw new Error("gone");
      });
    await expect(giveBack).rejects.toThrow("gone");
    expect(counts).toEqual([15, 5, 0]);
    expect(await enqueueDue(scheduler(), 15, pass)).toBe(0);
    expect(await enqueueDue(scheduler(), 15, { from: null })).toBe(10);
  });

  test("the next check keeps to the rhythm, and missed checks are made up for by one check and logged", async () => {
    const { ids } = await insertJobs(1, "-190 minutes", { frequency: 60 });
    expect(await enqueueDue(scheduler(), 10)).toBe(1);
    expect(await enqueueDue(scheduler(), 10)).toBe(0);
    expect(await readQueue()).toHaveLength(1);
    const job = await db()
      .selectFrom("jobs")
      .innerJoin("schedules", "schedules.job_id", "jobs.id")
      .select(["next_run_at", "rhythm_at", "logs"])
      .where("id", "=", ids[0] ?? "")
      .executeTakeFirstOrThrow();
    expect(job.next_run_at.getTime() - job.rhythm_at.getTime()).toBe(240 * 60_000);
    const logs = await db().selectFrom("job_logs").select(["level", "meta"]).execute();
    expect(logs).toEqual([{ level: "warn", meta: "3 checks were missed while nothing ran" }]);
    expect(job.logs).toBe(1);
  });

  test("only active jobs run", async () => {
    for (const status of ["PAUSED", "DISABLED", "INTERRUPTED", "INACTIVE"])
      await insertJobs(2, "-1 minute", { status });
    expect(await enqueueDue(scheduler(), 100)).toBe(0);
  });

  test("a due job whose previous check is still queued isn't queued a second time", async () => {
    const { ids } = await insertJobs(1, "-1 second");
    await enqueueDue(scheduler(), 10);
    await sql`update schedules set next_run_at = now() - interval '1 second'`.execute(db());
    expect(await enqueueDue(scheduler(), 10)).toBe(1);
    expect((await readQueue()).map(({ id }) => id)).toEqual(ids);
    const logs = await db().selectFrom("job_logs").select("meta").execute();
    expect(logs).toEqual([{ meta: "The previous check was still running, so this one was merged with it" }]);
  });

  test("one user's 400 jobs don't hold up another user's only job", async () => {
    const busyUser = await insertJobs(400, "-2 seconds");
    const otherUser = await insertJobs(1, "-1 second");
    await enqueueDue(scheduler(), 500);
    const order = (await readQueue()).map(({ id }) => id);
    expect(order).toHaveLength(401);
    expect(order.indexOf(otherUser.ids[0] ?? "")).toBeLessThanOrEqual(1);
    expect(order.filter((id) => busyUser.ids.includes(id))).toHaveLength(400);
  });

  test("the queue holds at most 5,000 checks", async () => {
    await insertJobs(5200, "-1 second", { accounts: 3 });
    let total = 0;
    for (let count = 1; count > 0; total += count) count = await enqueueDue(scheduler(), 1000);
    expect(total).toBe(5000);
  });
});

describe("the rhythm of a job", () => {
  test("start times have a stable jitter within a tenth of the frequency", async () => {
    const { ids } = await insertJobs(40, "0 seconds", { frequency: 60 });
    // now() is constant within a transaction, so offsets are exact.
    const offsets = () =>
      db()
        .transaction()
        .execute(async (tx) => {
          for (const id of ids) await startRhythm(tx, id);
          const { rows } = await sql<{ job_id: string; offset: number }>`
            select job_id, extract(epoch from rhythm_at - now())::float8 as offset from schedules order by 1`.execute(
            tx,
          );
          return rows;
        });
    const [first, second] = [await offsets(), await offsets()];
    expect(second).toEqual(first);
    expect(new Set(first.map(({ offset }) => offset)).size).toBeGreaterThan(25);
    for (const { offset } of first) {
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(300);
    }
  });

  test("a paused job continues in its earlier rhythm", async () => {
    const { ids } = await insertJobs(1, "-25 minutes", { frequency: 60 });
    const [id = ""] = ids;
    await resumeRhythm(db(), id);
    const { rows } = await sql<{
      minutes: number;
    }>`select round(extract(epoch from next_run_at - now()) / 60)::integer as minutes from schedules`.execute(
      db(),
    );
    expect(rows).toEqual([{ minutes: 35 }]);
  });

  test("R6 after an outage each overdue job runs once, spread over time", async () => {
    await insertJobs(200, "-45 minutes", { frequency: 10 });
    await sql`update schedule_state set ticked_at = now() - interval '50 minutes'`.execute(db());
    await Promise.all(schedulers().map(({ db }) => recordTick(db)));
    expect(await enqueueDue(scheduler(), 500)).toBeLessThan(20);
    const { rows } = await sql<{ spread: number; latest: number }>`
      select extract(epoch from max(next_run_at) - min(next_run_at))::float8 as spread,
        extract(epoch from max(next_run_at) - now())::float8 as latest from schedules`.execute(db());
    expect(rows[0]?.spread).toBeGreaterThan(40);
    await sql`update schedules set next_run_at = next_run_at - interval '2 minutes' where next_run_at > now() and queued_at is null`.execute(
      db(),
    );
    await enqueueDue(scheduler(), 500);
    const order = (await readQueue()).map(({ id }) => id);
    expect(new Set(order).size).toBe(200);
    expect(order).toHaveLength(200);
  });

  test("R6 after the clock is set back an hour, no job waits longer than its interval", async () => {
    await insertJobs(3, "70 minutes", { frequency: 10 });
    await insertJobs(3, "70 minutes", { frequency: 120 });
    await sql`update schedule_state set ticked_at = now() + interval '1 hour'`.execute(db());
    await recordTick(db());
    const { rows } = await sql<{ frequency_minutes: number; waits: boolean }>`
      select distinct frequency_minutes, next_run_at > now() + frequency_minutes * interval '1 minute' as waits from schedules order by 1`.execute(
      db(),
    );
    expect(rows).toEqual([
      { frequency_minutes: 10, waits: false },
      { frequency_minutes: 120, waits: false },
    ]);
  });
});

test("the priority of an account's later checks depends on its plan's weight and on how long checks take", async () => {
  const { ids, accountIds } = await insertJobs(4, "-1 second", { accounts: 2 });
  await sql`update jobs set last_ms = 8000 where id = any(${ids}::uuid[])`.execute(db());
  const [professionalAccount = "", ultimateAccount = ""] = accountIds;
  await sql`update accounts set plan_id = case id when ${professionalAccount}::uuid then 'professional' else 'ultimate' end`.execute(
    db(),
  );
  await enqueueDue(scheduler(), 100);
  const { rows } = await sql<{ owner: string; apart: number }>`
    select account_id as owner, max(priority) - min(priority) as apart from pgboss.job
    join jobs on jobs.id::text = data ->> 'jobId' where pgboss.job.name = 'execute' group by 1`.execute(db());
  // Eight seconds divided by a weight of two or of four, times fifteen.
  expect(new Map(rows.map(({ owner, apart }) => [owner, apart]))).toEqual(
    new Map([
      [professionalAccount, 60],
      [ultimateAccount, 30],
    ]),
  );
});
