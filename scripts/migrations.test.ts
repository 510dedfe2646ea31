import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeMigration } from "./judge-migration.ts";

const folder = join(import.meta.dirname, "../src/storage/migrations");
/** What came before the first version that another runs beside. */
const before = "0130";

test.each(readdirSync(folder).filter((name) => name > before))(
  "%s can be applied beside the version before it",
  (name) => {
    expect(judgeMigration(readFileSync(join(folder, name), "utf8"))).toEqual([]);
  },
);

test.each([
  ["alter table jobs drop column name;", "drops a column"],
  ["drop table shares;", "drops a table"],
  ["alter table jobs rename column name to title;", "renames"],
  ["alter table executions alter column number type bigint;", "changes a type"],
  ["alter table executions alter number set data type bigint;", "changes a type"],
  ["alter table jobs alter column name set not null;", "demands a value"],
  ["alter table jobs add column a integer default 0, add column b text not null;", "must be filled"],
  ["alter table jobs add column b uuid not null default gen_random_uuid();", "differs by row"],
  ["alter table jobs add constraint c check (name <> '');", "not valid"],
  ["update jobs set host = '';", "writes jobs whole"],
  ["-- many\ndelete from executions where true;", "writes executions whole"],
  ["create index a on executions (summary);", "blocks its writers"],
])("sees that %s cannot", (sql, problem) => {
  expect(judgeMigration(sql).join()).toContain(problem);
});

test.each([
  "create table a (id uuid primary key, b text not null);\ncreate index a_b on a (b);\nupdate a set b = '';",
  "alter table jobs add column a integer not null default 0;",
  "alter table jobs add column a text;",
  "alter table jobs add constraint c check (name <> '') not valid;",
  "-- one step: nobody reads it since 0.4\nalter table jobs drop column name;",
  "update schedule_state set ticked_at = now();",
])("lets %s be", (sql) => {
  expect(judgeMigration(sql)).toEqual([]);
});
