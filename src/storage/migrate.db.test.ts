import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { doneMigrations, makeIndexes, migrate, migrationNames } from "./migrate.ts";
import { copyDatabase } from "./testing/copy-database.ts";

test("any number of processes migrate an empty database at once, and it is done once", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const { db, close } = openDatabase(connectionString);
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await Promise.all([migrate(connectionString), migrate(connectionString), migrate(connectionString)]);
  expect(await doneMigrations(db)).toEqual(migrationNames());
  await close();
  await copy.drop();
});

test("a database that a newer version has migrated is left as it is", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const { db, close } = openDatabase(connectionString);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', now()::text)`.execute(db);
  await migrate(connectionString);
  expect(await doneMigrations(db)).toEqual([...migrationNames(), "9999-newer"]);
  await close();
  await copy.drop();
});

test("a lock on a busy table is waited for, without others queueing behind it", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const { db, close } = openDatabase(connectionString);
  await sql`delete from kysely_migration where name = '0065-last-ms'`.execute(db);
  await sql`alter table jobs drop column last_ms`.execute(db);
  const migrated = await db.transaction().execute(async (tx) => {
    await sql`select from jobs`.execute(tx);
    const waiting = migrate(connectionString);
    await sql`select pg_sleep(1)`.execute(tx);
    return { waiting };
  });
  await migrated.waiting;
  expect((await sql`select last_ms from jobs`.execute(db)).rows).toEqual([]);
  await close();
  await copy.drop();
});

test("an index on a large table is made beside others' work, by one of those who come, and mended when broken off", async () => {
  const copy = await copyDatabase();
  const { db, close } = openDatabase(copy.connectionString);
  const text =
    "-- For a search by name.\ncreate index concurrently if not exists test_names on jobs (name);\n";
  const isValid = async () =>
    (
      await sql<{
        is: boolean;
      }>`select indisvalid as is from pg_index where indexrelid = to_regclass('test_names')`.execute(db)
    ).rows.map((row) => row.is);
  await Promise.all([makeIndexes(db, [text, "select 1;"]), makeIndexes(db, [text])]);
  expect(await isValid()).toEqual([true]);
  await sql`update pg_index set indisvalid = false where indexrelid = 'test_names'::regclass`.execute(db);
  await makeIndexes(db, [text]);
  expect(await isValid()).toEqual([true]);
  await close();
  await copy.drop();
});
