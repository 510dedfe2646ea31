import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { copyDatabase } from "../testing/copy-database.ts";
import { doneMigrations, makeIndexes, migrate, migrationNames, runMigrations } from "./migrate.ts";

test("several processes can migrate an empty database at once, and every migration is done once", async () => {
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

test("a migration waits for a lock on a busy table without making others queue behind it", async () => {
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

test("a migration whose lock doesn't come in time gives up its place in the queue, and is tried again", async () => {
  const copy = await copyDatabase();
  const { db, close } = openDatabase(copy.connectionString, {
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 100,
  });
  const texts = { a: "alter table jobs add column a text;" };
  await sql`delete from kysely_migration`.execute(db);
  const waitingAttempt = async () => {
    const { rows } = await sql<{ attempt: string }>`select virtualtransaction as attempt from pg_locks
      where not granted and relation = 'jobs'::regclass`.execute(db);
    return rows[0]?.attempt;
  };
  const running = await db.transaction().execute(async (tx) => {
    await sql`select from jobs`.execute(tx);
    const migrating = runMigrations(db, texts);
    // Each attempt is a transaction of its own.
    const attempts = new Set<string>();
    await expect
      .poll(
        async () => {
          const attempt = await waitingAttempt();
          if (attempt) attempts.add(attempt);
          return attempts.size;
        },
        { interval: 20 },
      )
      .toBeGreaterThan(1);
    return { migrating };
  });
  await running.migrating;
  expect(await doneMigrations(db)).toEqual(["a"]);
  await close();
  await copy.drop();
});

test("each migration is a transaction of its own: one that waits holds no locks of those before it", async () => {
  const copy = await copyDatabase();
  const { db, close } = openDatabase(copy.connectionString);
  const texts = { a: "alter table jobs add column a text;", b: "alter table shares add column b text;" };
  await sql`delete from kysely_migration`.execute(db);
  const running = await db.transaction().execute(async (tx) => {
    await sql`select from shares`.execute(tx);
    const migrating = runMigrations(db, texts);
    await expect.poll(() => doneMigrations(db)).toEqual(["a"]);
    // Nothing that writes jobs has to wait.
    await sql`update jobs set a = ''`.execute(db);
    return { migrating };
  });
  await running.migrating;
  expect(await doneMigrations(db)).toEqual(["a", "b"]);
  await close();
  await copy.drop();
});

test("a migration that a deadlock ends is done again", async () => {
  const copy = await copyDatabase();
  const { db, close } = openDatabase(copy.connectionString, { statementTimeoutMs: 60_000 });
  const texts = { a: "alter table jobs add column a text; alter table shares add column a text;" };
  await sql`delete from kysely_migration`.execute(db);
  const isWaiting = async () => {
    const { rows } =
      await sql`select from pg_locks where not granted and relation = 'shares'::regclass`.execute(db);
    return rows.length > 0;
  };
  const failures = await sql<{ count: number }>`select deadlocks as count from pg_stat_database
    where datname = current_database()`.execute(db);
  const running = await db.transaction().execute(async (tx) => {
    // The migration notices the deadlock first, so it is the one that fails.
    await sql`set local deadlock_timeout = '1min'`.execute(tx);
    await sql`select from shares`.execute(tx);
    const migrating = runMigrations(db, texts);
    await expect.poll(isWaiting).toBe(true);
    await sql`select from jobs`.execute(tx);
    return { migrating };
  });
  await running.migrating;
  expect(await doneMigrations(db)).toEqual(["a"]);
  const countDeadlocks = async () =>
    (
      await sql<{ count: number }>`select deadlocks as count from pg_stat_database
        where datname = current_database()`.execute(db)
    ).rows[0]?.count;
  await expect.poll(countDeadlocks).toBeGreaterThan(failures.rows[0]?.count ?? 0);
  await close();
  await copy.drop();
});

test("an index on a large table is created concurrently by one of several processes, again if invalid", async () => {
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
