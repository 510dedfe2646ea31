import pg from "pg";
import { expect, test } from "vitest";
import { prepareFrequentQueries } from "./prepared-statements.ts";
import { copyDatabase } from "./testing/copy-database.ts";

test("a frequent query is planned once, and again after its table gets another column", async () => {
  const copy = await copyDatabase();
  const client = new pg.Client({ connectionString: copy.connectionString });
  await client.connect();
  prepareFrequentQueries()(client);
  await client.query("create table shelf (id integer)");
  await client.query("insert into shelf select generate_series(1, $1)", [9]);
  const find = (id: number) => client.query("select * from shelf where id = $1", [id]);
  const countPrepared = async () => {
    const { rows } = await client.query(
      "select count(*)::integer as count from pg_prepared_statements where statement like '%from shelf where id%'",
    );
    return rows[0].count;
  };
  await find(1);
  expect(await countPrepared()).toBe(0);
  for (let i = 0; i < 30; i++) expect((await find(1 + (i % 9))).rows).toEqual([{ id: 1 + (i % 9) }]);
  expect(await countPrepared()).toBe(1);
  await client.query("alter table shelf add column name text default 'new'");
  expect((await find(2)).rows).toEqual([{ id: 2, name: "new" }]);
  expect((await find(3)).rows).toEqual([{ id: 3, name: "new" }]);
  await expect(client.query("select * from shelf where id = $1", ["no number"])).rejects.toThrow(
    "invalid input syntax",
  );
  await client.end();
  await copy.drop();
});
