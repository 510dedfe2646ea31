import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { type HostSlots, openHostSlots } from "./host-slots.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
let workers: HostSlots[];
/** The workers whose connection broke. */
const broken = new Set<number>();
beforeAll(async () => {
  copy = await copyDatabase();
  workers = Array.from({ length: 3 }, (_, n) =>
    openHostSlots(copy.connectionString, () => void broken.add(n)),
  );
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await copy.drop();
});

const takeAll = (host: string, each: number) =>
  Promise.all(workers.flatMap((worker) => Array.from({ length: each }, () => worker.take(host))));

test("R7 a host gets two captures at a time over all workers", async () => {
  const taken = (await takeAll("a.example", 4)).filter((release) => release !== undefined);
  expect(taken).toHaveLength(2);
  expect((await takeAll("b.example", 4)).filter(Boolean)).toHaveLength(2);
  taken[0]?.();
  const retaken: unknown[] = [];
  await expect
    .poll(async () => retaken.push(...(await takeAll("a.example", 4)).filter(Boolean)) && retaken)
    .toHaveLength(1);
  expect((await takeAll("a.example", 4)).filter(Boolean)).toEqual([]);
});

test("the slots of a closed worker become free, and a worker whose connection broke keeps its slots", async () => {
  const [first, second, third] = workers as [HostSlots, HostSlots, HostSlots];
  const release = await first.take("c.example");
  await second.take("c.example");
  await second.close();
  const freedSlot = await third.take("c.example");
  expect(freedSlot).toBeDefined();
  const admin = new pg.Client({ connectionString: copy.connectionString });
  await admin.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watchglass-slots' and datname = current_database()",
  );
  await admin.end();
  await expect.poll(() => broken).toEqual(new Set([0, 2]));
  // The first worker takes back the slot that it held with its next query.
  await first.take("d.example");
  await third.take("d.example");
  expect(await second.take("c.example")).toBeUndefined();
  release?.();
  await expect.poll(() => second.take("c.example")).toBeDefined();
});

test("a released slot is free for all workers, even if it was the first slot of a session", async () => {
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
