import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { copyDatabase } from "./testing/copy-database.ts";

test("a connection lost in the middle of a transaction is told and replaced, and ends nothing", async () => {
  const copy = await copyDatabase();
  const lost: string[] = [];
  const { db, close } = openDatabase(copy.connectionString, {
    onError: ({ message }) => void lost.push(message),
  });
  const other = openDatabase(copy.connectionString);
  const broken = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other.db);
    // Nothing is asked of it while it is lost.
    await expect.poll(() => lost.length).toBeGreaterThan(0);
    await sql`select 1`.execute(tx);
  });
  await expect(broken).rejects.toThrow();
  expect(lost[0]).toContain("terminating connection");
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await close();
  await other.close();
  await copy.drop();
});
