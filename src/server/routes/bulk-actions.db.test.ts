import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { deleteDueJobs } from "#jobs/schedule-deletion.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<SharedEngine["person"]>>;
type Bulk = {
  done: string[];
  problems: { jobId: string; name: string | null; message: string }[];
  undo: { id: string; jobs: { id: string; name: string }[]; until: string } | null;
};
async function apply(person: Person, jobIds: string[], action: string, more: object = {}) {
  const answer = await person.call("POST", "/api/bulk-actions", { jobIds, action, ...more });
  expect([action, answer.status, answer.body]).toEqual([action, 200, expect.anything()]);
  return answer.body as unknown as Bulk & { message: string };
}
const undo = (person: Person, { undo: made }: Bulk) =>
  person.call("POST", `/api/bulk-actions/${made?.id}/undo`);
const readJob = async (person: Person, id: string) => (await person.call("GET", `/api/jobs/${id}`)).body;
/** Creates two jobs and waits for their first checks. */
async function createTwo(person: Person, settings: object = {}): Promise<[string, string]> {
  const ids = [await person.createJob(settings), await person.createJob(settings)] as [string, string];
  for (const id of ids) await person.execution(id, 1);
  return ids;
}
const isDue = async (jobId: string) => {
  const row = await engine.app.db
    .selectFrom("schedules")
    .select("active")
    .where("job_id", "=", jobId)
    .executeTakeFirst();
  return row?.active;
};
const passTime = (actionId: string | undefined) =>
  Promise.all([
    sql`update bulk_actions set expires_at = now() where id = ${actionId}`.execute(engine.app.db),
    sql`update jobs set delete_at = now() where id in (
      select (change ->> 'jobId')::uuid from bulk_actions, jsonb_array_elements(changes) as change
      where bulk_actions.id = ${actionId})`.execute(engine.app.db),
  ]);

test("each action changes every job, and its undo, found from any tab, puts every job back", async () => {
  const person = await engine.person();
  const ids = await createTwo(person, { ignore: [".advert"] });
  const other = String((await person.call("POST", "/api/jobs/groups", { name: "Other" })).body.id);
  const cases = [
    { action: "pause", more: {}, field: "status", before: "ACTIVE", after: "PAUSED" },
    { action: "move", more: { groupId: other }, field: "groupId", before: person.groupId, after: other },
    { action: "frequency", more: { minutes: 90 }, field: "frequencyMinutes", before: 60, after: 90 },
    {
      action: "ignore",
      more: { entry: " .visitors " },
      field: "ignore",
      before: [".advert"],
      after: [".advert", ".visitors"],
    },
  ];
  for (const { action, more, field, before, after } of cases) {
    const made = await apply(person, ids, action, more);
    expect([action, made.done.toSorted(), made.problems]).toEqual([action, ids.toSorted(), []]);
    for (const id of ids) expect([action, (await readJob(person, id))[field]]).toEqual([action, after]);
    // Another tab finds what can be undone in the list.
    const { actions } = (await person.call("GET", "/api/bulk-actions")).body as unknown as {
      actions: { id: string; action: string; jobs: { name: string }[] }[];
    };
    expect(actions).toMatchObject([{ id: made.undo?.id, action, jobs: [{}, {}] }]);
    expect((await undo(person, made)).status).toBe(200);
    for (const id of ids) expect([action, (await readJob(person, id))[field]]).toEqual([action, before]);
    expect((await undo(person, made)).status).toBe(404);
  }
  const checked = await apply(person, ids, "run");
  expect(checked.undo).toBeNull();
  for (const id of ids) await person.execution(id, 2);
  // Twice the same changes nothing, and so there is nothing to undo.
  expect((await apply(person, ids, "activate")).undo).toBeNull();
  const audit = (await person.call("GET", "/api/me/audit")).body.entries as unknown as { about: string }[];
  expect(audit.map(({ about }) => about)).toEqual(
    expect.arrayContaining(["Job 1, Job 2: pause", "Job 1, Job 2: pause undone"]),
  );
});

test("deleted jobs are not checked and raise no alert, are in the list with their time, and come back whole", async () => {
  const person = await engine.person();
  engine.site.page.html = html(...story, "Sold out");
  const [id, otherId] = await createTwo(person);
  const made = await apply(person, [id, otherId], "delete");
  expect(made.message).toBe("2 jobs deleted. You can undo this for 30 minutes.");
  const { jobs } = (await person.call("GET", "/api/jobs")).body as unknown as {
    jobs: { id: string; deleteAt: string; nextRunAt: string | null }[];
  };
  expect(jobs).toMatchObject([
    { deleteAt: expect.any(String), nextRunAt: null },
    { deleteAt: expect.any(String), nextRunAt: null },
  ]);
  expect([await isDue(id), await isDue(otherId)]).toEqual([false, false]);
  for (const [method, path, body] of [
    ["POST", `/api/jobs/${id}/run`, undefined],
    ["PATCH", `/api/jobs/${id}/PAUSED`, undefined],
    ["PATCH", `/api/jobs/${id}`, { frequency: 90 }],
  ] as const) {
    const { status, body: answer } = await person.call(method, path, body);
    expect([path, status, answer.message]).toEqual([
      path,
      400,
      "This job is deleted. Undo the deletion first.",
    ]);
  }
  const taken = await person.call("POST", "/api/jobs/create", {
    name: "Job 1",
    url: "http://127.0.0.1:8080/new",
    frequency: 60,
    groupId: person.groupId,
  });
  expect([taken.status, taken.body.message]).toEqual([
    409,
    "A deleted job in this group has this name, and its deletion can still be undone. Choose another name.",
  ]);
  // Before the time is over, nothing is removed.
  await deleteDueJobs(engine.app.jobs);
  expect((await undo(person, made)).body.done).toEqual(expect.arrayContaining([id, otherId]));
  expect(await readJob(person, id)).toMatchObject({ status: "ACTIVE", deleteAt: null, executionsTotal: 1 });
  expect([await isDue(id), await isDue(otherId)]).toEqual([true, true]);
  engine.site.page.html = html(...story, "In stock");
  expect(await person.run(id)).toMatchObject({ changed: true });
});

test("a check that is under way when its job is deleted raises no alert", async () => {
  const person = await engine.person();
  engine.site.page.html = html(...story, "Sold out");
  const [id] = await createTwo(person);
  engine.site.page.html = html(...story, "In stock");
  // As if the check had been queued just before.
  await apply(person, [id], "run");
  const made = await apply(person, [id], "delete");
  await engine.waitFor("the check", async () => {
    const job = await readJob(person, id);
    return job.activity === "idle";
  });
  const alerts = (await person.call("GET", "/api/notifications")).body.notifications as unknown as unknown[];
  const total = Number((await readJob(person, id)).executionsTotal);
  // Either the check was quicker than the deletion, or its result was dropped.
  expect([total, alerts.length]).toEqual([total, total - 1]);
  await undo(person, made);
  const settled = total === 1 ? await person.run(id) : (await person.executionsOf(id))[0];
  expect(settled).toMatchObject({ changed: true });
});

test("when the time is over, deleted jobs are gone, and DELETE deletes at once as it always did", async () => {
  const person = await engine.person();
  const [id, otherId] = await createTwo(person);
  const made = await apply(person, [id], "delete");
  await passTime(made.undo?.id);
  await deleteDueJobs(engine.app.jobs);
  expect((await person.call("GET", `/api/jobs/${id}`)).status).toBe(404);
  const late = await undo(person, made);
  expect([late.status, late.body.message]).toEqual([404, "This can no longer be undone."]);
  expect((await person.call("GET", "/api/bulk-actions")).body).toEqual({ actions: [] });
  const again = await apply(person, [otherId], "delete");
  expect((await person.call("DELETE", `/api/jobs/${otherId}`)).status).toBe(200);
  expect((await person.call("GET", `/api/jobs/${otherId}`)).status).toBe(404);
  expect((await undo(person, again)).body).toMatchObject({
    done: [],
    problems: [{ jobId: otherId, name: "Job 2", message: "There is no such job." }],
  });
});

test("a job that can't be changed stays as it is with the reason; the others are changed", async () => {
  const person = await engine.person();
  const stranger = await engine.person();
  const [id, otherId] = await createTwo(person);
  const foreign = await stranger.createJob({ name: "Foreign" });
  const other = String((await person.call("POST", "/api/jobs/groups", { name: "Other" })).body.id);
  await person.createJob({ name: "Job 1", groupId: other });
  const moved = await apply(person, [id, otherId, foreign], "move", { groupId: other });
  expect(moved.done).toEqual([otherId]);
  expect(moved.problems.toSorted((a, b) => (a.name ?? "").localeCompare(b.name ?? ""))).toEqual([
    { jobId: foreign, name: null, message: "There is no such job." },
    { jobId: id, name: "Job 1", message: "The group already has a job with this name." },
  ]);
  expect((await undo(stranger, moved)).status).toBe(404);
  expect((await stranger.call("GET", "/api/bulk-actions")).body).toEqual({ actions: [] });
  const gone = await apply(person, [foreign], "delete");
  expect([gone.done, gone.undo]).toEqual([[], null]);
  expect(await readJob(stranger, foreign)).toMatchObject({ deleteAt: null });
  // A job that was changed since then is not put back.
  const slower = await apply(person, [id, otherId], "frequency", { minutes: 90 });
  await person.call("PATCH", `/api/jobs/${id}`, { frequency: 120 });
  expect((await undo(person, slower)).body).toMatchObject({
    done: [otherId],
    problems: [{ jobId: id, message: "It was changed since then and stays as it is now." }],
  });
  expect((await readJob(person, id)).frequencyMinutes).toBe(120);
  for (const [body, field] of [
    [{ jobIds: [], action: "pause" }, "jobIds"],
    [{ jobIds: [id], action: "move" }, "groupId"],
    [{ jobIds: [id], action: "frequency" }, "minutes"],
    [{ jobIds: [id], action: "ignore", entry: " " }, "entry"],
    [{ jobIds: [id], action: "explode" }, "action"],
  ] as const) {
    const { status, body: answer } = await person.call("POST", "/api/bulk-actions", body);
    expect([status, answer.field]).toEqual([400, field]);
  }
  const bad = await apply(person, [id], "ignore", { entry: "/[/" });
  expect([bad.done, bad.problems.length, (await readJob(person, id)).ignore]).toEqual([[], 1, []]);
});

test("deleted jobs don't count toward the plan, and are not restored if it has no place for them", async () => {
  const person = await engine.person("basic");
  const ids = [];
  for (let i = 0; i < 4; i++) ids.push(await person.createJob());
  const made = await apply(person, ids.slice(0, 1), "delete");
  await person.createJob();
  const { body } = await undo(person, made);
  expect(body).toMatchObject({ done: [], problems: [{ jobId: ids[0], name: "Job 1" }] });
  expect(await readJob(person, ids[0] ?? "")).toMatchObject({ deleteAt: expect.any(String) });
});
