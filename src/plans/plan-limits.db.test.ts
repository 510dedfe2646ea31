import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

const jobInput = (groupId: string, i: number, input: object = {}) => ({
  name: `Job ${i}`,
  url: `http://127.0.0.1:8080/${i}`,
  frequency: 60,
  groupId,
  ...input,
});
const countCodes = (answers: { status: number; body: { code?: unknown } }[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = status === 200 ? "ok" : String(body.code);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

test("Z4 fifty requests at once can't exceed the plan's number of jobs", async () => {
  const { call, groupId } = await engine.person("basic");
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => call("POST", "/api/jobs/create", jobInput(groupId, i))),
  );
  expect(countCodes(answers)).toEqual({ ok: 4, PLAN_LIMIT_REACHED: 46 });
  expect(answers.find(({ status }) => status === 403)?.body.message).toBe(
    "The Basic plan allows 4 jobs. The Professional plan allows 20 jobs per group.",
  );
});

test("Z4 fifty requests at once can't exceed the plan's number of groups", async () => {
  const { call } = await engine.person("professional");
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => call("POST", "/api/jobs/groups", { name: `G${i}` })),
  );
  expect(countCodes(answers)).toEqual({ ok: 14, PLAN_LIMIT_REACHED: 36 });
  expect(answers.find(({ status }) => status === 403)?.body.message).toBe(
    "The Professional plan allows 15 groups. The Ultimate plan allows 20 groups.",
  );
});

test("Z4 many moves at once can't exceed the plan's number of jobs per group", async () => {
  const { call, groupId } = await engine.person("ultimate");
  const other = String((await call("POST", "/api/jobs/groups", { name: "Other" })).body.id);
  const third = String((await call("POST", "/api/jobs/groups", { name: "Third" })).body.id);
  const jobs: string[] = [];
  for (const group of [groupId, third]) {
    for (let i = 0; i < 15; i++) {
      const answer = await call("POST", "/api/jobs/create", jobInput(group, jobs.length));
      jobs.push((answer.body.job as unknown as { id: string }).id);
    }
  }
  const moves = await Promise.all(
    jobs.map((jobId) => call("PATCH", "/api/jobs/addToGroup", { jobId, groupId: other })),
  );
  expect(countCodes(moves)).toEqual({ ok: 20, PLAN_LIMIT_REACHED: 10 });
  expect((await call("GET", "/api/jobs/groups")).body).toMatchObject([{}, { id: other, jobs: 20 }, {}]);
});

test("Z4 the Basic plan allows one trigger, even with concurrent requests, and no text lookup", async () => {
  const { call, groupId } = await engine.person("basic");
  const trigger = { url: "http://127.0.0.1:9/", method: "GET" };
  const answers = await Promise.all(
    [1, 2, 3, 4].map((i) => call("POST", "/api/jobs/create", jobInput(groupId, i, { trigger }))),
  );
  expect(countCodes(answers)).toEqual({ ok: 1, PLAN_LIMIT_REACHED: 3 });
  const lookup = await call(
    "POST",
    "/api/jobs/create",
    jobInput(groupId, 9, { lookup: { strings: ["x"], when: "appears" } }),
  );
  expect(lookup).toMatchObject({
    status: 403,
    body: { message: "The Basic plan allows no text lookup. The Professional plan allows it." },
  });
});

test("the plan's minimum interval is enforced when a job is created, changed or activated", async () => {
  const { call, groupId, accountId } = await engine.person("ultimate");
  const created = await call("POST", "/api/jobs/create", jobInput(groupId, 1, { frequency: 5 }));
  const id = (created.body.job as unknown as { id: string }).id;
  expect((await call("POST", "/api/jobs/create", jobInput(groupId, 2, { frequency: 4 }))).body).toEqual({
    code: "PLAN_LIMIT_REACHED",
    message: "The Ultimate plan’s minimum interval is 5 minutes.",
  });
  await call("PATCH", `/api/jobs/${id}/PAUSED`);
  await engine.app.db.updateTable("accounts").set({ plan_id: "basic" }).where("id", "=", accountId).execute();
  expect(await call("PATCH", `/api/jobs/${id}/ACTIVE`)).toMatchObject({
    status: 403,
    body: {
      message: "The Basic plan’s minimum interval is 60 minutes. On the Ultimate plan it’s 5 minutes.",
    },
  });
  expect((await call("PATCH", `/api/jobs/${id}`, { frequency: 59 })).status).toBe(403);
  expect((await call("PATCH", `/api/jobs/${id}`, { name: "Renamed" })).status).toBe(200);
  await call("PATCH", `/api/jobs/${id}`, { frequency: 60 });
  expect((await call("PATCH", `/api/jobs/${id}/ACTIVE`)).status).toBe(200);
});

test("a job that the plan made inactive can be activated only within the plan's number of jobs", async () => {
  const { call, createJob, accountId } = await engine.person("basic");
  const ids = [await createJob(), await createJob(), await createJob(), await createJob()];
  await engine.app.db
    .updateTable("jobs")
    .set({ status: "INACTIVE" })
    .where("id", "=", ids[0] ?? "")
    .execute();
  const fifth = await createJob();
  expect((await call("PATCH", `/api/jobs/${ids[0]}/ACTIVE`)).status).toBe(403);
  await call("DELETE", `/api/jobs/${fifth}`);
  expect((await call("PATCH", `/api/jobs/${ids[0]}/ACTIVE`)).status).toBe(200);
  const rows = await engine.app.db
    .selectFrom("jobs")
    .select("id")
    .where("account_id", "=", accountId)
    .execute();
  expect(rows).toHaveLength(4);
});
