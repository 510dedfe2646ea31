import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { openQueue } from "./queue.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
beforeAll(async () => {
  copy = await copyDatabase();
});
afterAll(() => copy.drop());

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
