import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { openQueue } from "./queue.ts";

test("dead tasks are listed with their reason, can be sent again one by one or together, and run once", async () => {
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
  const listDeadTasks = async () =>
    (await failing.listDead(10)).sort((a, b) => (a.reason ?? "").localeCompare(b.reason ?? ""));
  while ((await listDeadTasks()).length < 5) await sleep(20);
  const deadTasks = await listDeadTasks();
  expect(deadTasks.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    "mail: a was refused",
    "mail: b was refused",
    "mail: c was refused",
    "daily: no report",
    "daily: no report",
  ]);
  await failing.close();

  const queue = await openQueue(connectionString, { pollSeconds: 0.1 });
  expect(await queue.replay("mail", deadTasks[0]?.id)).toBe(1);
  expect(await queue.listDead(10)).toHaveLength(4);
  expect(await queue.replay("mail")).toBe(2);
  // Each has its own singleton key, so a waiting task doesn't replace another one.
  expect(await queue.replay("daily")).toBe(2);
  expect(await queue.listDead(10)).toEqual([]);
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const recordDone = async (what: string) => {
    done.push(what);
    if (done.length === 5) resolve();
  };
  await queue.work("mail", {}, ({ sealed }) => recordDone(sealed));
  await queue.work("daily", {}, ({ accountId }) => recordDone(accountId));
  await promise;
  expect(done.sort()).toEqual(["a", "b", "c", "x", "y"]);
  const { rows } = await sql`select from pgboss.job where name like '%-dead'`.execute(db);
  expect(rows).toEqual([]);
  await queue.close();
  await close();
  await copy.drop();
});
