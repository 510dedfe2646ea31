import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { copyDatabase } from "../testing/copy-database.ts";
import { doneMigrations, migrate, migrationNames, runMigrations } from "./migrate.ts";

const renaming = "0250-proxies";

test("proxies that were called exits keep their jobs, groups, audit entries and troubles", async () => {
  const copy = await copyDatabase("template0");
  const { db, close } = openDatabase(copy.connectionString);
  const earlier = migrationNames().filter((name) => name < renaming);
  const textOf = (name: string) => readFileSync(join(import.meta.dirname, `${name}.sql`), "utf8");
  await runMigrations(db, Object.fromEntries(earlier.map((name) => [name, textOf(name)])));
  expect((await doneMigrations(db)).at(-1)).toBe(earlier.at(-1));

  const insert = async (table: string, values: Record<string, unknown>) => {
    const names = Object.keys(values).map((name) => sql.ref(name));
    const { rows } = await sql<{ id: string }>`insert into ${sql.table(table)} (${sql.join(names)})
      values (${sql.join(Object.values(values))}) returning id`.execute(db);
    return rows[0]?.id ?? "";
  };
  const account = await insert("accounts", {
    email: "ana@example.com",
    email_key: "ana@example.com",
    firstname: "Ana",
    surname: "Berg",
    password_hash: "x",
    bot_token_sealed: "x",
    bot_token_hash: Buffer.from("x"),
  });
  const exit = { protocol: "socks5", host: "proxy.example", port: 1080, latency_ms: 30, problem: "refused" };
  const own = { account_id: account, name: "Berlin", credentials_sealed: "sealed as an exit's" };
  const id = await insert("exits", { ...exit, ...own });
  const shared = await insert("exits", { ...exit, name: "Of the operator", port: 1081 });
  const defaults = JSON.stringify({ exits: [id], ignore: [".ad"] });
  const group = await insert("groups", { account_id: account, name: "Shops", handed: defaults });
  const other = await insert("groups", { account_id: account, name: "Others", handed: '{"ignore":[".ad"]}' });
  const job = (name: string, more: object) =>
    insert("jobs", {
      account_id: account,
      group_id: group,
      name,
      url: "https://shop.example/",
      host: "shop.example",
      frequency_minutes: 60,
      ...more,
    });
  const trouble = (state: string) => JSON.stringify({ state, kind: state, message: "“exit” is a door." });
  const jobs = [
    await job("By two", { settings: JSON.stringify({ exits: [shared, "direct"], tags: ["a"] }) }),
    await job("By none", { settings: '{"exits":[]}', trouble: trouble("exit") }),
    await job("Never", { settings: '{"tags":["exits"]}', trouble: trouble("down") }),
  ];
  for (const action of ["exit-added", "exit-deleted", "exited", "job-created"])
    await insert("audit_entries", { account_id: account, action, about: "exit-Berlin" });

  await migrate(copy.connectionString);

  const all = async (table: string) =>
    (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows;
  const byId = (rows: Record<string, unknown>[]) => new Map(rows.map((row) => [row.id, row]));
  const proxies = byId(await all("proxies"));
  expect([proxies.get(id), proxies.get(shared)]).toMatchObject([
    // Sealed for a table of the earlier name, it could not be opened; the password is asked for again.
    { ...exit, id, account_id: account, name: "Berlin", credentials_sealed: null },
    { ...exit, id: shared, account_id: null, name: "Of the operator", port: 1081 },
  ]);
  const groups = byId(await all("groups"));
  expect([groups.get(group)?.handed, groups.get(other)?.handed]).toEqual([
    { proxies: [id], ignore: [".ad"] },
    { ignore: [".ad"] },
  ]);
  const stored = byId(await all("jobs"));
  expect(jobs.map((one) => [stored.get(one)?.settings, stored.get(one)?.trouble])).toEqual([
    [{ proxies: [shared, "direct"], tags: ["a"] }, null],
    [{ proxies: [] }, { state: "proxy", kind: "proxy", message: "“exit” is a door." }],
    [{ tags: ["exits"] }, JSON.parse(trouble("down"))],
  ]);
  const entries = await all("audit_entries");
  expect(entries.map(({ action, about }) => `${String(action)} of ${String(about)}`).sort()).toEqual(
    ["exited", "job-created", "proxy-added", "proxy-deleted"].map((action) => `${action} of exit-Berlin`),
  );
  await close();
  await copy.drop();
});
