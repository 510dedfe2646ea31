import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { openQueue } from "./queue.ts";
import { shareWidth } from "./share-width.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
beforeAll(async () => {
  copy = await copyDatabase();
});
afterAll(() => copy.drop());

test("one owner's tasks hold at most their share of the slots, and the next begins when one ends", async () => {
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600 });
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const signal = new EventTarget();
  const until = async (count: number) => {
    while (started.length < count) await once(signal, "start");
  };
  const send = (...names: string[]) =>
    queue.sendMany(
      db,
      "opinion",
      names.map((name) => ({ data: { notificationId: name }, owner: name[0] ?? "" })),
    );
  await send("a1", "a2", "a3", "a4", "a5");
  await queue.work("opinion", { width: 4, choose: shareWidth(2) }, async ({ notificationId }) => {
    await new Promise<void>((end) => {
      running.set(notificationId, end);
      started.push(notificationId);
      signal.dispatchEvent(new Event("start"));
    });
    running.delete(notificationId);
  });
  await until(2);
  await send("b1", "c1", "c2");
  await until(4);
  expect(started.filter((name) => name.startsWith("a"))).toHaveLength(2);
  running.get("a1")?.();
  await until(5);
  expect([...running.keys()].filter((name) => name.startsWith("a")).length).toBeLessThanOrEqual(2);
  while (started.length < 8) {
    for (const end of running.values()) end();
    await until(Math.min(8, started.length + 1));
  }
  for (const end of running.values()) end();
  expect(started.toSorted()).toEqual(["a1", "a2", "a3", "a4", "a5", "b1", "c1", "c2"]);
  await queue.close();
  await close();
});

test("a choice counts what each owner holds; tasks without an owner aren't counted", () => {
  const held = (...owners: string[]) => owners.map((owner) => ({ owner }));
  const choose = (...owners: string[]) => {
    const { busyOwners, maxPerOwner } = shareWidth(3)(9, held(...owners));
    return { busyOwners, maxPerOwner };
  };
  expect(choose()).toEqual({ busyOwners: [], maxPerOwner: 3 });
  expect(choose("a", "a", "b")).toEqual({ busyOwners: [], maxPerOwner: 1 });
  expect(choose("a", "a", "a", "b")).toEqual({ busyOwners: ["a"], maxPerOwner: 2 });
  expect(choose("", "", "", "")).toEqual({ busyOwners: [], maxPerOwner: 3 });
});
