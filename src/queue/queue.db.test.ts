import { EventEmitter, once } from "node:events";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { openQueue, type Place } from "./queue.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
beforeAll(async () => {
  copy = await copyDatabase();
});
afterAll(() => copy.drop());

test("a task waits for nothing while a place is free, and places are never more than the width", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  // Nothing is found by polling within this test.
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const begun: string[] = [];
  const ends = new Map<string, { end: () => void; leave: () => void }>();
  const heard = new EventEmitter();
  await queue.work("end-subscription", { width: 2, behind: 1 }, async ({ subscriptionId }, _, { leave }) => {
    begun.push(subscriptionId);
    await new Promise<void>((end) => {
      ends.set(subscriptionId, { end, leave });
      heard.emit("begun");
    });
  });
  const until = async (count: number) => {
    while (begun.length < count) await once(heard, "begun");
  };
  const tasks = Array.from("abcdef", (subscriptionId) => ({ data: { subscriptionId } }));
  await queue.sendMany(db, "end-subscription", tasks.slice(0, 5));
  await until(2);
  ends.get("a")?.leave();
  await until(3);
  // One has left its place and is not over: no more than that is begun before it is.
  ends.get("b")?.leave();
  ends.get("b")?.end();
  await until(4);
  for (const { end } of ends.values()) end();
  await until(5);
  await queue.sendMany(db, "end-subscription", tasks.slice(5));
  await until(6);
  for (const { end } of ends.values()) end();
  expect(begun.toSorted()).toEqual([..."abcdef"]);
  await queue.close();
  await close();
});

test("who steps aside gives its place to the next, and has one again when that is free; never the last one of another", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const begun = new Map<string, { end: () => void; place: Place }>();
  const back: string[] = [];
  const heard = new EventEmitter();
  const turns = {
    width: 2,
    behind: 4,
    choose: (room: number, held: { owner: string }[]) => ({
      fullPlaces: [],
      busyOwners: room === 1 ? held.map(({ owner }) => owner) : [],
      perOwner: 9,
      closed: [],
      served: [],
    }),
  };
  await queue.work("end-subscription", turns, async ({ subscriptionId: name }, _, place) => {
    await new Promise<void>((end) => {
      begun.set(name, { end, place });
      heard.emit("news");
    });
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(heard, "news");
  };
  const send = (owner: string, ...names: string[]) =>
    queue.sendMany(
      db,
      "end-subscription",
      names.map((subscriptionId) => ({ data: { subscriptionId }, owner, place: subscriptionId })),
    );
  const comeBack = (name: string) =>
    void begun
      .get(name)
      ?.place.comeBack()
      .then(() => {
        back.push(name);
        heard.emit("news");
      });
  await send("one", "a", "b");
  await until(() => begun.size === 2);
  for (const name of ["a", "b"]) begun.get(name)?.place.stepAside();
  await send("one", "c");
  await send("two", "d");
  await until(() => begun.size === 4);
  comeBack("a");
  comeBack("b");
  begun.get("c")?.place.leave();
  // The one free place is the last: it is not for an owner who has others under way.
  await send("three", "e");
  await until(() => begun.size === 5);
  expect(back).toEqual([]);
  for (const name of ["d", "e"]) begun.get(name)?.place.leave();
  await until(() => back.length > 0);
  for (const name of ["c", "d", "e"]) begun.get(name)?.end();
  begun.get(back[0] ?? "")?.end();
  await until(() => back.length === 2);
  expect(back.toSorted()).toEqual(["a", "b"]);
  for (const { end } of begun.values()) end();
  await queue.close();
  await close();
});

test("one owner has half of what may be aside, and the others go on", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const heard = new EventEmitter();
  const aside: string[] = [];
  const ends: (() => void)[] = [];
  const choose = () => ({ fullPlaces: [], busyOwners: [], perOwner: 1, closed: [], served: [] });
  await queue.work("end-subscription", { width: 2, mostAside: 4, choose }, async (task, _, place) => {
    place.stepAside();
    aside.push(task.subscriptionId);
    await new Promise<void>((end) => {
      ends.push(end);
      heard.emit("news");
    });
  });
  const send = (owner: string, ...names: string[]) =>
    queue.sendMany(
      db,
      "end-subscription",
      names.map((subscriptionId) => ({ data: { subscriptionId }, owner, place: subscriptionId })),
    );
  await send("one", "a", "b", "c", "d", "e");
  while (aside.length < 2) await once(heard, "news");
  await send("two", "x");
  while (aside.length < 3) await once(heard, "news");
  expect(aside.map((name) => /[a-e]/.test(name))).toEqual([true, true, false]);
  for (const end of ends) end();
  while (aside.length < 6) {
    await once(heard, "news");
    ends.at(-1)?.();
  }
  await queue.close();
  await close();
});

test("a task that an older version queued under another name is worked on", async () => {
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

test("at a place that owners share, the one who was let in longest ago is next, and a closed one waits", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const heard = new EventEmitter();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const choice = { fullPlaces: [], busyOwners: [], perOwner: 9 };
  const served = [{ place: "shared", owner: "two" }];
  const closed = [{ place: "other", owner: "one" }];
  await queue.sendMany(
    db,
    "end-subscription",
    ["one 1 shared", "one 2 shared", "two 3 shared", "three 4 shared", "one 5 other", "two 6 other"].map(
      (name) => {
        const [owner = "", , place = ""] = name.split(" ");
        // Whoever asks most has the highest priority here.
        return { data: { subscriptionId: name }, owner, place, priority: owner === "one" ? 100 : 1 };
      },
    ),
  );
  await queue.work(
    "end-subscription",
    { width: 1, choose: () => ({ ...choice, closed, served: [...served] }) },
    async ({ subscriptionId: name }) => {
      begun.push(name);
      const [owner = "", , place = ""] = name.split(" ");
      if (place === "shared")
        served.push(...served.splice(0).filter((use) => use.owner !== owner), { place, owner });
      await new Promise<void>((end) => {
        ends.push(end);
        heard.emit("news");
      });
    },
  );
  while (begun.length < 5) {
    if (ends.length === 0) await once(heard, "news");
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  expect(begun.filter((name) => name.endsWith("shared"))).toEqual([
    "one 1 shared",
    "three 4 shared",
    "two 3 shared",
    "one 2 shared",
  ]);
  expect(begun).not.toContain("one 5 other");
  closed.length = 0;
  while (begun.length < 6) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  for (const end of ends) end();
  await queue.close();
  await close();
});

test("one owner has two thirds of what may be behind, and the others go on", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const heard = new EventEmitter();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const choose = () => ({ fullPlaces: [], busyOwners: [], perOwner: 1, closed: [], served: [] });
  await queue.work(
    "end-subscription",
    { width: 1, behind: 3, choose },
    async ({ subscriptionId: name }, _, place) => {
      begun.push(name);
      place.leave();
      heard.emit("news");
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
  while (begun.length < 2) await once(heard, "news");
  await send("two", "e");
  while (!begun.includes("e")) await once(heard, "news");
  expect(begun).toEqual(["a", "b", "e"]);
  while (begun.length < 5) {
    ends.shift()?.();
    await once(heard, "news");
  }
  for (const end of ends) end();
  await queue.close();
  await close();
});
