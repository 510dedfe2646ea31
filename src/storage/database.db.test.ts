import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { copyDatabase } from "./testing/copy-database.ts";

test("a connection lost during a transaction is reported and replaced, and the process goes on", async () => {
  const copy = await copyDatabase();
  const errors: string[] = [];
  const { db, close } = openDatabase(copy.connectionString, {
    onError: ({ message }) => void errors.push(message),
  });
  const other = openDatabase(copy.connectionString);
  const brokenTransaction = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other.db);
    // The connection is lost while no query runs.
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    await sql`select 1`.execute(tx);
  });
  await expect(brokenTransaction).rejects.toThrow();
  expect(errors[0]).toContain("terminating connection");
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await close();
  await other.close();
  await copy.drop();
});
