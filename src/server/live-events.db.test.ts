import type { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { emitEvents } from "#storage/events.ts";
import { openLiveEvents } from "./live-events.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

function reader(stream: PassThrough) {
  let text = "";
  stream.on("data", (chunk) => (text += chunk));
  const events = () =>
    [...text.matchAll(/id: (\d+)\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
      id: Number(id),
      ...JSON.parse(data ?? "{}"),
    }));
  return { events, kinds: () => events().map(({ kind, stage }) => (stage ? `${kind} ${stage}` : kind)) };
}

test("an execution is told from the queue to its end, by any process to any other", async () => {
  const { accountId, createJob, execution } = await engine.person();
  const other = openLiveEvents(engine.connectionString, engine.app.db, () => undefined);
  const pages = [engine.app.events, other].map((events) =>
    reader(events.open({ accountId, sessionId: accountId }, undefined)),
  );
  for (const page of pages) await engine.waitFor("stream", async () => page.events().length > 0);
  const jobId = await createJob();
  const { id } = await execution(jobId, 1);
  for (const page of pages) {
    await engine.waitFor("finish", async () => page.kinds().includes("finished"));
    expect(page.kinds()).toEqual([
      "ready",
      "queued",
      "listed",
      "started",
      "progress capturing",
      "progress confirming",
      "progress storing",
      "finished",
    ]);
    expect(page.events().at(-1)).toMatchObject({
      jobId,
      executionId: id,
      changed: false,
      failed: false,
      summary: "First capture",
    });
  }
  await other.close();
});

test("reconnecting with Last-Event-ID misses nothing, in order, under concurrent writers", async () => {
  const { accountId } = await engine.person();
  const actor = { accountId, sessionId: accountId };
  const first = engine.app.events.open(actor, undefined);
  const before = reader(first);
  await engine.waitFor("stream", async () => before.events().length > 0);
  const start = Number(before.events()[0]?.id);
  const writers = Array.from({ length: 10 }, async () => {
    for (let i = 0; i < 5; i++) {
      await engine.app.db.transaction().execute(async (tx) => {
        await emitEvents(tx, accountId, [
          { kind: "started", jobId: "a" },
          { kind: "queued", jobId: "b" },
        ]);
        await sleep(Math.random() * 5);
      });
    }
  });
  await engine.waitFor("some", async () => before.events().length > 10);
  first.end();
  await sleep(20);
  const last = Number(before.events().at(-1)?.id);
  const after = reader(engine.app.events.open(actor, last));
  await Promise.all(writers);
  await engine.waitFor("rest", async () => Number(after.events().at(-1)?.id) >= start + 100);
  const ids = [...before.events(), ...after.events()].map(({ id }) => id);
  expect(ids.slice(1)).toEqual(Array.from({ length: 100 }, (_, i) => start + 1 + i));
});

test("a job paused elsewhere is told", async () => {
  const { accountId, createJob, execution, call } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  const page = reader(engine.app.events.open({ accountId, sessionId: accountId }, undefined));
  await engine.waitFor("stream", async () => page.events().length > 0);
  await call("PATCH", `/api/jobs/${jobId}/PAUSED`);
  await engine.waitFor("event", async () => page.events().length > 1);
  expect(page.events().at(-1)).toMatchObject({ kind: "updated", jobId });
});

test("groups and jobs that come, go or change elsewhere are told, each once", async () => {
  const { accountId, createJob, execution, call } = await engine.person();
  const page = reader(engine.app.events.open({ accountId, sessionId: accountId }, undefined));
  await engine.waitFor("stream", async () => page.events().length > 0);
  const listed = () => page.kinds().filter((kind) => kind === "listed").length;
  let groupId = "";
  let jobId = "";
  const steps = [
    async () => (groupId = String((await call("POST", "/api/jobs/groups", { name: "Other" })).body.id)),
    () => call("PATCH", `/api/jobs/groups/${groupId}`, { name: "Another" }),
    async () => (jobId = await createJob({ groupId })),
    async () => {
      await execution(jobId, 1);
      await call("PATCH", `/api/jobs/${jobId}`, { name: "Renamed" });
    },
    () => call("DELETE", `/api/jobs/${jobId}`),
    () => call("DELETE", `/api/jobs/groups/${groupId}`),
  ];
  for (const [at, step] of steps.entries()) {
    await step();
    await engine.waitFor(`news ${at}`, async () => listed() > at);
    expect(listed()).toBe(at + 1);
  }
});

test("a page that was away too long is told to read everything anew", async () => {
  const { accountId } = await engine.person();
  const actor = { accountId, sessionId: accountId };
  const first = reader(engine.app.events.open(actor, undefined));
  await engine.waitFor("stream", async () => first.events().length > 0);
  await emitEvents(engine.app.db, accountId, [{ kind: "queued", jobId: "a" }]);
  await engine.app.db.deleteFrom("events").where("account_id", "=", accountId).execute();
  const page = reader(engine.app.events.open(actor, 0));
  await engine.waitFor("reset", async () => page.kinds().includes("reset"));
  expect(page.events()).toHaveLength(1);
});

test("a stranger hears nothing, and no stream opens without a session", async () => {
  const [mine, theirs] = [await engine.person(), await engine.person()];
  const page = reader(engine.app.events.open({ accountId: mine.accountId, sessionId: "" }, undefined));
  await engine.waitFor("stream", async () => page.events().length > 0);
  const id = await theirs.createJob();
  await theirs.execution(id, 1);
  await sleep(100);
  expect(page.kinds()).toEqual(["ready"]);
  expect((await engine.call("GET", "/api/events")).status).toBe(401);
});
