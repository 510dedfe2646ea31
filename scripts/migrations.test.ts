import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeMigration } from "./judge-migration.ts";

const folder = join(import.meta.dirname, "../src/storage/migrations");
const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
/** Migrations below this number are older than the first version that can run next to another one. */
const firstJudged = "0130";

test("no new migration has a number below those that are judged", () => {
  expect(names.filter((name) => name < firstJudged)).toHaveLength(34);
});

test.each(names.filter((name) => name > firstJudged))(
  "%s can be applied while the previous version runs",
  (name) => {
    expect(judgeMigration(readFileSync(join(folder, name), "utf8"))).toEqual([]);
  },
);

test.each([
  ["alter table jobs drop column name;", "drops a column"],
  ["alter table shares drop name;", "drops a column"],
  ["drop table shares;", "may still use"],
  ["drop function touch();", "may still use"],
  ["drop index jobs_by_account;", "rely on"],
  ["alter table jobs drop constraint jobs_pkey;", "rely on"],
  ["alter table jobs alter column name drop default;", "drops a default"],
  ["alter table jobs rename column name to title;", "renames"],
  ["alter table executions alter column number type bigint;", "changes a type"],
  ["alter table executions alter number set data type bigint;", "changes a type"],
  ['alter table public."executions" alter column number type bigint;', "changes a type"],
  ["alter table jobs set unlogged;", "rewrites"],
  ["vacuum full jobs;", "under lock"],
  ["truncate jobs;", "under lock"],
  ["alter table jobs alter column name set not null;", "demands a value"],
  ["alter table jobs add column a integer default 0, add column b text not null;", "must be filled"],
  ["alter table shares add column a numeric(10, 2) not null;", "must be filled"],
  ["alter table shares add a integer not null;", "must be filled"],
  ["alter table only jobs add column if not exists a integer not null;", "must be filled"],
  ["alter table jobs add column b uuid not null default gen_random_uuid();", "differs by row"],
  ["alter table jobs add column b bigserial;", "differs by row"],
  ["alter table jobs add column b text generated always as (name || '') stored;", "differs by row"],
  ["alter table jobs add column b text check (b <> '');", "reads the table"],
  ["alter table jobs add column b uuid references groups;", "reads the table"],
  ["alter table jobs add constraint c check (name <> '');", "not valid"],
  ["alter table jobs add foreign key (a) references groups;", "not valid"],
  ["alter table shares add constraint c unique (name);", "makes an index"],
  ["create unique index a on shares (name);", "makes an index"],
  ["update jobs set host = '';", "writes jobs whole"],
  ["update only public.jobs set host = '';", "writes jobs whole"],
  ["with a as (select 1) update jobs set host = '';", "writes jobs whole"],
  ["do $$ begin update jobs set host = ''; end $$;", "writes jobs whole"],
  ["do $do$ begin update jobs set host = ''; end $do$;", "writes jobs whole"],
  ["insert into job_logs select * from shares;", "writes job_logs whole"],
  ["-- many\ndelete from executions where true;", "writes executions whole"],
  ["create index a on executions (summary);", "blocks its writers"],
  ["create index if not exists a on public.executions (summary);", "blocks its writers"],
  ["create index on executions (summary);", "blocks its writers"],
  ["create index concurrently a on executions (summary);", "with if not exists"],
  ["create index concurrently if not exists a on jobs (name); select 1;", "the one statement"],
])("judgeMigration refuses: %s", (sql, problem) => {
  expect(judgeMigration(sql).join()).toContain(problem);
});

test.each([
  "create table a (id uuid primary key, b text not null);\ncreate index a_b on a (b);\nupdate a set b = '';",
  "alter table jobs add column a integer not null default 0;",
  "alter table jobs add column a numeric(10, 2) not null default 0, add column b timestamptz default now();",
  "alter table jobs add column a text; -- drop column b;",
  "alter table jobs add column a text default 'rename, not null';",
  "alter table jobs add constraint c check (name <> '') not valid;",
  "alter table jobs validate constraint c;",
  "alter table shares alter column name drop not null;",
  "create index concurrently if not exists a on executions (summary);",
  "create index a on shares (name);",
  "create or replace function touch() returns trigger language plpgsql as $$ begin update jobs set host = ''; return new; end $$;",
  "create trigger t after update on jobs for each row execute function touch();",
  "-- one step: nobody reads it since 0.4\nalter table jobs drop column name;",
  "update schedule_state set ticked_at = now();",
])("judgeMigration accepts: %s", (sql) => {
  expect(judgeMigration(sql)).toEqual([]);
});
