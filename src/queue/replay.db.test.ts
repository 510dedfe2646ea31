import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "#storage/database.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { openQueue } from "./queue.ts";

test("what was given up is listed and sent again, one or all, and is worked on once", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const { db, close } = openDatabase(connectionString);
  const queue = await openQueue(connectionString, { pollSeconds: 0.5 });
  for (const sealed of ["a", "b", "c"])
    await sql`insert into pgboss.job (name, data) values ('mail-dead', ${JSON.stringify({ sealed })}::jsonb)`.execute(
      db,
    );
  const dead = await queue.listDead(10);
  expect(dead.map(({ name }) => name)).toEqual(["mail", "mail", "mail"]);
  expect(await queue.replay("mail", dead[0]?.id)).toBe(1);
  expect(await queue.listDead(10)).toHaveLength(2);
  expect(await queue.replay("mail")).toBe(2);
  expect(await queue.listDead(10)).toEqual([]);
  const sent: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await queue.work("mail", {}, async ({ sealed }) => {
    sent.push(sealed);
    if (sent.length === 3) resolve();
  });
  await promise;
  expect(sent.sort()).toEqual(["a", "b", "c"]);
  await queue.close();
  await close();
  await copy.drop();
});
