import type { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { emitEvents } from "./events.ts";
import { openLiveEvents } from "./open-live-events.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

function readEvents(stream: PassThrough) {
  let text = "";
  stream.on("data", (chunk) => (text += chunk));
  const events = () =>
    [...text.matchAll(/id: (\d+)\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
      id: Number(id),
      ...JSON.parse(data ?? "{}"),
    }));
  return { events, kinds: () => events().map(({ kind, stage }) => (stage ? `${kind} ${stage}` : kind)) };
}

test("every stage of an execution is sent as a live event, whichever process the page is connected to", async () => {
  const { accountId, createJob, execution } = await engine.person();
  const otherProcess = openLiveEvents(engine.connectionString, engine.app.db, () => undefined);
  const pages = [engine.app.events, otherProcess].map((events) =>
    readEvents(events.open({ accountId, sessionId: accountId }, undefined)),
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
  await otherProcess.close();
});

test("reconnecting with Last-Event-ID receives every event in order, despite concurrent writers", async () => {
  const { accountId } = await engine.person();
  const actor = { accountId, sessionId: accountId };
  const firstStream = engine.app.events.open(actor, undefined);
  const firstPage = readEvents(firstStream);
  await engine.waitFor("stream", async () => firstPage.events().length > 0);
  const start = Number(firstPage.events()[0]?.id);
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
  await engine.waitFor("some", async () => firstPage.events().length > 10);
  firstStream.end();
  await sleep(20);
  const last = Number(firstPage.events().at(-1)?.id);
  const secondPage = readEvents(engine.app.events.open(actor, last));
  await Promise.all(writers);
  await engine.waitFor("rest", async () => Number(secondPage.events().at(-1)?.id) >= start + 100);
  const ids = [...firstPage.events(), ...secondPage.events()].map(({ id }) => id);
  expect(ids.slice(1)).toEqual(Array.from({ length: 100 }, (_, i) => start + 1 + i));
});

test("pausing a job sends an event of kind updated to an open page", async () => {
  const { accountId, createJob, execution, call } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  const page = readEvents(engine.app.events.open({ accountId, sessionId: accountId }, undefined));
  await engine.waitFor("stream", async () => page.events().length > 0);
  await call("PATCH", `/api/jobs/${jobId}/PAUSED`);
  await engine.waitFor("event", async () => page.events().length > 1);
  expect(page.events().at(-1)).toMatchObject({ kind: "updated", jobId });
});

test("creating, renaming or deleting a group or a job sends exactly one event of kind listed", async () => {
  const { accountId, createJob, execution, call } = await engine.person();
  const page = readEvents(engine.app.events.open({ accountId, sessionId: accountId }, undefined));
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
  for (const [index, step] of steps.entries()) {
    await step();
    await engine.waitFor(`news ${index}`, async () => listed() > index);
    expect(listed()).toBe(index + 1);
  }
});

test("a page that missed events which are no longer stored gets an event of kind reset", async () => {
  const { accountId } = await engine.person();
  const actor = { accountId, sessionId: accountId };
  const first = readEvents(engine.app.events.open(actor, undefined));
  await engine.waitFor("stream", async () => first.events().length > 0);
  await emitEvents(engine.app.db, accountId, [{ kind: "queued", jobId: "a" }]);
  await engine.app.db.deleteFrom("events").where("account_id", "=", accountId).execute();
  const page = readEvents(engine.app.events.open(actor, 0));
  await engine.waitFor("reset", async () => page.kinds().includes("reset"));
  expect(page.events()).toHaveLength(1);
});

test("a stream has no events of other accounts, and no stream opens without a session", async () => {
  const [owner, stranger] = [await engine.person(), await engine.person()];
  const page = readEvents(engine.app.events.open({ accountId: owner.accountId, sessionId: "" }, undefined));
  await engine.waitFor("stream", async () => page.events().length > 0);
  const id = await stranger.createJob();
  await stranger.execution(id, 1);
  await sleep(100);
  expect(page.kinds()).toEqual(["ready"]);
  expect((await engine.call("GET", "/api/events")).status).toBe(401);
});
