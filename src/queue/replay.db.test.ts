import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { openQueue } from "./queue.ts";

test("what was given up is listed with its reason and sent again, one or all, and is worked on once", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const { db, close } = openDatabase(connectionString);
  const failing = await openQueue(connectionString, { pollSeconds: 0.1 });
  for (const sealed of ["a", "b", "c"]) await failing.send(db, "mail", { sealed }, { retryLimit: 0 });
  await failing.send(db, "daily", { accountId: "x" }, { singletonKey: "x", retryLimit: 0 });
  await failing.send(db, "daily", { accountId: "y" }, { singletonKey: "y", retryLimit: 0 });
  await failing.work("mail", {}, async ({ sealed }) => {
    throw new Error(`${sealed} was refused`);
  });
  await failing.work("daily", {}, async () => {
    throw new Error("no report");
  });
  const dead = async () =>
    (await failing.listDead(10)).sort((a, b) => (a.reason ?? "").localeCompare(b.reason ?? ""));
  while ((await dead()).length < 5) await sleep(20);
  const given = await dead();
  expect(given.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    "mail: a was refused",
    "mail: b was refused",
    "mail: c was refused",
    "daily: no report",
    "daily: no report",
  ]);
  await failing.close();

  const queue = await openQueue(connectionString, { pollSeconds: 0.1 });
  expect(await queue.replay("mail", given[0]?.id)).toBe(1);
  expect(await queue.listDead(10)).toHaveLength(4);
  expect(await queue.replay("mail")).toBe(2);
  // Each under its own key: one that waits already takes no other's place.
  expect(await queue.replay("daily")).toBe(2);
  expect(await queue.listDead(10)).toEqual([]);
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const note = async (what: string) => {
    done.push(what);
    if (done.length === 5) resolve();
  };
  await queue.work("mail", {}, ({ sealed }) => note(sealed));
  await queue.work("daily", {}, ({ accountId }) => note(accountId));
  await promise;
  expect(done.sort()).toEqual(["a", "b", "c", "x", "y"]);
  const { rows } = await sql`select from pgboss.job where name like '%-dead'`.execute(db);
  expect(rows).toEqual([]);
  await queue.close();
  await close();
  await copy.drop();
});
