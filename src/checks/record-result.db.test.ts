import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCaptureWorker } from "#server/background-tasks/start-capture-worker.ts";
import { startTestEngine } from "./testing/engine.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
let stop: () => Promise<void>;
/** Captures wait at this gate until all are released at once. */
let gate = Promise.withResolvers<void>();
let startedCaptures = 0;
beforeAll(async () => {
  engine = await startTestEngine({
    capturing: false,
    concurrency: 8,
    environment: { CAPTURES_PER_HOST: "20" },
  });
  stop = await startCaptureWorker(engine.app, {
    confirmAfterMs: 0,
    capture: async (request) => {
      startedCaptures++;
      await gate.promise;
      return engine.site.capture(request);
    },
  });
});
afterAll(async () => {
  gate.resolve();
  await engine.close();
  await stop();
});

async function startWaitingChecks(count: number) {
  const person = await engine.person();
  gate.resolve();
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await person.createJob());
  for (const id of ids) await person.execution(id, 1);
  gate = Promise.withResolvers();
  startedCaptures = 0;
  await Promise.all(ids.map((id) => person.call("POST", `/api/jobs/${id}/run`)));
  await engine.waitFor("all captures", async () => startedCaptures >= count);
  return { ...person, ids };
}

test("checks that end together are recorded in one batch, and a locked job's check once it is unlocked", async () => {
  const { ids, executionsOf, execution, logsOf } = await startWaitingChecks(6);
  const [locked = "", ...free] = ids;
  const unlock = Promise.withResolvers<void>();
  const hasLock = Promise.withResolvers<void>();
  const lockingTransaction = engine.app.db.transaction().execute(async (tx) => {
    await sql`select from jobs where id = ${locked} for update`.execute(tx);
    hasLock.resolve();
    await unlock.promise;
  });
  await hasLock.promise;
  gate.resolve();
  for (const id of free) expect(await execution(id, 2)).toMatchObject({ index: 2, summary: "No change" });
  expect(await executionsOf(locked)).toHaveLength(1);
  unlock.resolve();
  await lockingTransaction;
  expect(await execution(locked, 2)).toMatchObject({ index: 2, summary: "No change" });
  for (const id of ids) {
    expect((await logsOf(id)).slice(0, 2)).toEqual([
      "[info] No change",
      "[info] Captured in 1.3 s, status 200, 0 scripts loaded",
    ]);
    const { rows } = await sql<{ positions: number[]; whole: boolean }>`
      select array_agg(seals.position order by seals.position) as positions,
        bool_and(seal_heads.position = 2 and seal_heads.hash is not null) as whole
      from seals join seal_heads using (job_id) where job_id = ${id}`.execute(engine.app.db);
    expect(rows).toEqual([{ positions: [1, 2], whole: true }]);
  }
});

test("a check that lost its claim writes nothing, even in a batch with others", async () => {
  const { ids, executionsOf, execution, run } = await startWaitingChecks(5);
  const [lostJob = "", ...otherJobs] = ids;
  await sql`update pgboss.job set retry_count = retry_count + 1
    where name = 'execute' and state = 'active' and singleton_key = ${lostJob}`.execute(engine.app.db);
  gate.resolve();
  for (const id of otherJobs) await execution(id, 2);
  await run(otherJobs[0] ?? "");
  expect(await executionsOf(lostJob)).toHaveLength(1);
});
