import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HostSlots, openHostSlots } from "./host-slots.ts";
import { copyDatabase } from "./testing/copy-database.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
let workers: HostSlots[];
beforeAll(async () => {
  copy = await copyDatabase();
  workers = Array.from({ length: 3 }, () => openHostSlots(copy.connectionString, () => undefined));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await copy.drop();
});

const takeAll = (host: string, each: number) =>
  Promise.all(workers.flatMap((worker) => Array.from({ length: each }, () => worker.take(host))));

test("R7 two captures at a time for a host, over all workers", async () => {
  const taken = (await takeAll("a.example", 4)).filter((release) => release !== undefined);
  expect(taken).toHaveLength(2);
  expect((await takeAll("b.example", 4)).filter(Boolean)).toHaveLength(2);
  taken[0]?.();
  const again: unknown[] = [];
  await expect
    .poll(async () => again.push(...(await takeAll("a.example", 4)).filter(Boolean)) && again)
    .toHaveLength(1);
  expect((await takeAll("a.example", 4)).filter(Boolean)).toEqual([]);
});

test("a worker that is gone gives its slots back; one whose connection broke keeps them", async () => {
  const [first, second, third] = workers as [HostSlots, HostSlots, HostSlots];
  const release = await first.take("c.example");
  await second.take("c.example");
  await second.close();
  const again = await third.take("c.example");
  expect(again).toBeDefined();
  const admin = new pg.Client({ connectionString: copy.connectionString });
  await admin.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watchglass-slots' and datname = current_database()",
  );
  await admin.end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  // The first to speak again takes up what it held.
  await first.take("d.example");
  await third.take("d.example");
  expect(await second.take("c.example")).toBeUndefined();
  release?.();
  await expect.poll(() => second.take("c.example")).toBeDefined();
});

test("a slot that was given back is free for all, the first one of a session too", async () => {
  const [one, other] = [0, 1].map(() =>
    openHostSlots(
      copy.connectionString,
      () => undefined,
      () => 1,
    ),
  ) as [HostSlots, HostSlots];
  const release = await one.take("first.example");
  expect(await other.take("first.example")).toBeUndefined();
  release?.();
  await expect.poll(() => other.take("first.example")).toBeDefined();
  await Promise.all([one.close(), other.close()]);
});
