import { EventEmitter, once } from "node:events";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { openQueue, type WorkerSlot } from "./queue.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
beforeAll(async () => {
  copy = await copyDatabase();
});
afterAll(() => copy.drop());

test("a task starts at once while a slot is free, and no more tasks hold a slot than the width allows", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  // Polls so rarely that this test finds no task by polling.
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const started: string[] = [];
  const ends = new Map<string, { end: () => void; release: () => void }>();
  const events = new EventEmitter();
  await queue.work(
    "end-subscription",
    { width: 2, behind: 1 },
    async ({ subscriptionId }, _, { release }) => {
      started.push(subscriptionId);
      await new Promise<void>((end) => {
        ends.set(subscriptionId, { end, release });
        events.emit("begun");
      });
    },
  );
  const until = async (count: number) => {
    while (started.length < count) await once(events, "begun");
  };
  const tasks = Array.from("abcdef", (subscriptionId) => ({ data: { subscriptionId } }));
  await queue.sendMany(db, "end-subscription", tasks.slice(0, 5));
  await until(2);
  ends.get("a")?.release();
  await until(3);
  // One task has released its slot and still runs: with `behind: 1`, the next starts only when a task ends.
  ends.get("b")?.release();
  ends.get("b")?.end();
  await until(4);
  for (const { end } of ends.values()) end();
  await until(5);
  await queue.sendMany(db, "end-subscription", tasks.slice(5));
  await until(6);
  for (const { end } of ends.values()) end();
  expect(started.toSorted()).toEqual([..."abcdef"]);
  await queue.close();
  await close();
});

test("a suspended task frees its slot and resumes in a free one that isn't reserved for other owners", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const started = new Map<string, { end: () => void; slot: WorkerSlot }>();
  const resumed: string[] = [];
  const events = new EventEmitter();
  const options = {
    width: 2,
    behind: 4,
    choose: (room: number, held: { owner: string }[]) => ({
      fullPlaces: [],
      busyOwners: room === 1 ? held.map(({ owner }) => owner) : [],
      maxPerOwner: 9,
      closed: [],
      served: [],
    }),
  };
  await queue.work("end-subscription", options, async ({ subscriptionId: name }, _, slot) => {
    await new Promise<void>((end) => {
      started.set(name, { end, slot });
      events.emit("news");
    });
  });
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await once(events, "news");
  };
  const send = (owner: string, ...names: string[]) =>
    queue.sendMany(
      db,
      "end-subscription",
      names.map((subscriptionId) => ({ data: { subscriptionId }, owner, place: subscriptionId })),
    );
  const resume = (name: string) =>
    void started
      .get(name)
      ?.slot.resume()
      .then(() => {
        resumed.push(name);
        events.emit("news");
      });
  await send("one", "a", "b");
  await until(() => started.size === 2);
  for (const name of ["a", "b"]) started.get(name)?.slot.suspend();
  await send("one", "c");
  await send("two", "d");
  await until(() => started.size === 4);
  resume("a");
  resume("b");
  started.get("c")?.slot.release();
  // The only free slot is the last one, which isn't for an owner with other running tasks.
  await send("three", "e");
  await until(() => started.size === 5);
  expect(resumed).toEqual([]);
  for (const name of ["d", "e"]) started.get(name)?.slot.release();
  await until(() => resumed.length > 0);
  for (const name of ["c", "d", "e"]) started.get(name)?.end();
  started.get(resumed[0] ?? "")?.end();
  await until(() => resumed.length === 2);
  expect(resumed.toSorted()).toEqual(["a", "b"]);
  for (const { end } of started.values()) end();
  await queue.close();
  await close();
});

test("one owner may have half of the suspended tasks, and other owners' tasks go on", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const events = new EventEmitter();
  const suspended: string[] = [];
  const ends: (() => void)[] = [];
  const choose = () => ({ fullPlaces: [], busyOwners: [], maxPerOwner: 1, closed: [], served: [] });
  await queue.work("end-subscription", { width: 2, maxSuspended: 4, choose }, async (task, _, slot) => {
    slot.suspend();
    suspended.push(task.subscriptionId);
    await new Promise<void>((end) => {
      ends.push(end);
      events.emit("news");
    });
  });
  const send = (owner: string, ...names: string[]) =>
    queue.sendMany(
      db,
      "end-subscription",
      names.map((subscriptionId) => ({ data: { subscriptionId }, owner, place: subscriptionId })),
    );
  await send("one", "a", "b", "c", "d", "e");
  while (suspended.length < 2) await once(events, "news");
  await send("two", "x");
  while (suspended.length < 3) await once(events, "news");
  expect(suspended.map((name) => /[a-e]/.test(name))).toEqual([true, true, false]);
  for (const end of ends) end();
  while (suspended.length < 6) {
    await once(events, "news");
    ends.at(-1)?.();
  }
  await queue.close();
  await close();
});

test("a task that an older version queued under another name is processed", async () => {
  const { connectionString } = copy;
  const older = new PgBoss({ connectionString });
  await older.start();
  await older.createQueue("unsubscribe");
  await older.send("unsubscribe", { subscriptionId: "old" });
  await older.stop();

  const { db, close } = openDatabase(connectionString);
  const queue = await openQueue(connectionString, { pollSeconds: 0.5 });
  await queue.send(db, "end-subscription", { subscriptionId: "new" });
  const ended = new Set<string>();
  await new Promise<void>((resolve, reject) => {
    queue
      .work("end-subscription", {}, async ({ subscriptionId }) => {
        ended.add(subscriptionId);
        if (ended.size === 2) resolve();
      })
      .catch(reject);
  });
  expect([...ended].sort()).toEqual(["new", "old"]);
  await queue.close();
  await close();
});

test("at a shared host, the owner served longest ago is next, and an owner it is closed to waits", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const events = new EventEmitter();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const choice = { fullPlaces: [], busyOwners: [], maxPerOwner: 9 };
  const served = [{ place: "shared", owner: "two" }];
  const closed = [{ place: "other", owner: "one" }];
  await queue.sendMany(
    db,
    "end-subscription",
    ["one 1 shared", "one 2 shared", "two 3 shared", "three 4 shared", "one 5 other", "two 6 other"].map(
      (name) => {
        const [owner = "", , place = ""] = name.split(" ");
        // The owner with the most tasks has the highest priority here.
        return { data: { subscriptionId: name }, owner, place, priority: owner === "one" ? 100 : 1 };
      },
    ),
  );
  await queue.work(
    "end-subscription",
    { width: 1, choose: () => ({ ...choice, closed, served: [...served] }) },
    async ({ subscriptionId: name }) => {
      started.push(name);
      const [owner = "", , place = ""] = name.split(" ");
      if (place === "shared")
        served.push(...served.splice(0).filter((use) => use.owner !== owner), { place, owner });
      await new Promise<void>((end) => {
        ends.push(end);
        events.emit("news");
      });
    },
  );
  while (started.length < 5) {
    if (ends.length === 0) await once(events, "news");
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  expect(started.filter((name) => name.endsWith("shared"))).toEqual([
    "one 1 shared",
    "three 4 shared",
    "two 3 shared",
    "one 2 shared",
  ]);
  expect(started).not.toContain("one 5 other");
  closed.length = 0;
  while (started.length < 6) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  for (const end of ends) end();
  await queue.close();
  await close();
});

test("one owner may have two thirds of the tasks that run without a slot, and other owners' tasks go on", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const events = new EventEmitter();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const choose = () => ({ fullPlaces: [], busyOwners: [], maxPerOwner: 1, closed: [], served: [] });
  await queue.work(
    "end-subscription",
    { width: 1, behind: 3, choose },
    async ({ subscriptionId: name }, _, slot) => {
      started.push(name);
      slot.release();
      events.emit("news");
      await new Promise<void>((end) => ends.push(end));
    },
  );
  const send = (owner: string, ...names: string[]) =>
    queue.sendMany(
      db,
      "end-subscription",
      names.map((subscriptionId) => ({ data: { subscriptionId }, owner, place: subscriptionId })),
    );
  await send("one", "a", "b", "c", "d");
  while (started.length < 2) await once(events, "news");
  await send("two", "e");
  while (!started.includes("e")) await once(events, "news");
  expect(started).toEqual(["a", "b", "e"]);
  while (started.length < 5) {
    ends.shift()?.();
    await once(events, "news");
  }
  for (const end of ends) end();
  await queue.close();
  await close();
});
