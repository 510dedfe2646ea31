import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type PageBlock, SearchQuery } from "#contract/page-block.ts";
import { type SharedApp, sharedApp } from "#server/testing/test-app.ts";
import { indexCaptures } from "./index-captures.ts";
import { moveStays } from "./remove-stays.ts";
import { searchHistory } from "./search-history.ts";

let product: SharedApp;
beforeAll(async () => {
  product = await sharedApp();
});

/** Numbers below a limit, the same ones for the same seed. */
function randomFrom(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Recorded = { id: string; jobId: string; blocks: string[] | null };

/** A history of one account whose jobs share blocks; each change of it is made as the product makes it. */
async function startHistory() {
  const { db } = product.app;
  const { accountId } = await product.addAccount("ultimate");
  const recorded: Recorded[] = [];
  const numbers = new Map<string, number>();
  return {
    accountId,
    recorded,
    /** Records an execution that sees these blocks; null for a failed one. */
    record: (jobId: string, blocks: string[] | null) =>
      db.transaction().execute(async (tx) => {
        const number = (numbers.get(jobId) ?? 0) + 1;
        numbers.set(jobId, number);
        const { rows } = await sql<{ id: string; created_at: Date }>`
          insert into executions (job_id, account_id, number, summary, duration_ms, attempts, failure, facts)
          values (${jobId}, ${accountId}, ${number}, '', 1, 1, ${blocks ? null : "dns"}, ${blocks ? Buffer.from("00", "hex") : null})
          returning id, created_at`.execute(tx);
        const [row] = rows;
        if (!row) throw new Error("nothing was inserted");
        recorded.push({ id: row.id, jobId, blocks });
        const found = blocks && blocks.map((text): PageBlock => ({ kind: "text", text }));
        await indexCaptures(tx, [
          { jobId, accountId, executionId: row.id, number, at: row.created_at, blocks: found },
        ]);
      }),
    remove: (wanted: Recorded[]) =>
      db.transaction().execute(async (tx) => {
        const ids = wanted.map(({ id }) => id);
        await sql`delete from executions where id = any(${ids}::uuid[])`.execute(tx);
        await moveStays(
          tx,
          wanted.map(({ id, jobId }) => ({ id, job_id: jobId })),
        );
        for (const one of wanted) recorded.splice(recorded.indexOf(one), 1);
      }),
    async stays() {
      const { rows } = await sql<{ stay: string }>`
        select concat_ws(' ', job_id, text, first_id, coalesce(gone_id::text, 'still')) as stay
        from page_stays join page_blocks on page_blocks.id = block_id where account_id = ${accountId}`.execute(
        db,
      );
      return rows.map(({ stay }) => stay).sort();
    },
    async blocks() {
      const rows = await db
        .selectFrom("page_blocks")
        .select("text")
        .where("account_id", "=", accountId)
        .execute();
      return rows.map(({ text }) => text).sort();
    },
  };
}

/** What a scan of all remaining captures finds. */
function scan(recorded: Recorded[]): string[] {
  const stays: string[] = [];
  for (const [jobId, all] of Map.groupBy(recorded, (one) => one.jobId)) {
    const captures = all.filter(({ blocks }) => blocks);
    for (const text of new Set(captures.flatMap(({ blocks }) => blocks ?? []))) {
      let first: string | undefined;
      for (const { id, blocks } of captures) {
        const isThere = blocks?.includes(text) ?? false;
        if (first && !isThere) stays.push(`${jobId} ${text} ${first} ${id}`);
        first = isThere ? (first ?? id) : undefined;
      }
      if (first) stays.push(`${jobId} ${text} ${first} still`);
    }
  }
  return stays.sort();
}

test.each(Array.from({ length: process.env.TEST_SIZE === "long" ? 40 : 8 }, (_, seed) => seed))(
  "history %i: the bounds of stays are those of a scan of all captures, through failures and thinning",
  async (seed) => {
    const random = randomFrom(seed + 1);
    const history = await startHistory();
    const jobs: string[] = [randomUUID(), randomUUID()];
    const letters = [..."abcdef"];
    const pages = new Map(jobs.map((jobId) => [jobId, letters.filter(() => random(2) === 0)]));
    for (let step = 0; step < 30; step++) {
      const jobId = jobs[random(jobs.length)] ?? "";
      if (step > 4 && random(4) === 0) {
        await history.remove(history.recorded.filter(() => random(3) === 0));
      } else if (random(8) === 0) await history.record(jobId, null);
      else {
        const page = new Set(pages.get(jobId));
        for (let changes = random(3); changes > 0; changes--) {
          const letter = letters[random(letters.length)] ?? "";
          if (!page.delete(letter)) page.add(letter);
        }
        pages.set(jobId, [...page]);
        await history.record(jobId, [...page]);
      }
      expect(await history.stays()).toEqual(scan(history.recorded));
      const left = new Set(history.recorded.flatMap(({ blocks }) => blocks ?? []));
      expect(await history.blocks()).toEqual([...left].sort());
    }
  },
);

test("an execution that sees the same blocks writes nothing", async () => {
  const history = await startHistory();
  const jobId = randomUUID();
  await history.record(jobId, ["a", "b"]);
  const { rows } = await sql`select xmin from page_index_heads where job_id = ${jobId}`.execute(
    product.app.db,
  );
  await history.record(jobId, ["b", "a"]);
  const after = await sql`select xmin from page_index_heads where job_id = ${jobId}`.execute(product.app.db);
  expect(after.rows).toEqual(rows);
});

test("accounts share no block, and jobs that begin at once share theirs", async () => {
  const [one, other] = [await startHistory(), await startHistory()];
  const jobs = Array.from({ length: 6 }, () => randomUUID());
  await Promise.all(
    jobs.map((jobId, i) =>
      one.record(
        jobId,
        ["x", "y", `only ${i}`].toSorted(() => (i % 2) - 0.5),
      ),
    ),
  );
  await other.record(randomUUID(), ["x"]);
  expect((await one.blocks()).filter((text) => text === "x")).toHaveLength(1);
  expect(await other.blocks()).toEqual(["x"]);
  await one.remove([...one.recorded]);
  expect(await one.blocks()).toEqual([]);
  expect(await other.blocks()).toEqual(["x"]);
});

test("a search reads no line of another account, however many have the text", async () => {
  const { db } = product.app;
  const [own, others] = [10_000, 12_000];
  const addLines = (owner: string, text: string, count: number) =>
    sql`
      insert into page_blocks (account_id, hash, kind, text)
      select ${owner}, uuid_send(gen_random_uuid()), 'text', ${text} || n from generate_series(1, ${count}::integer) as n
    `.execute(db);
  const { accountId, record } = await startHistory();
  await record(randomUUID(), ["A merger of harbors"]);
  await addLines(accountId, "Ferry ", own);
  await addLines((await startHistory()).accountId, "A secret merger of harbors ", others);
  await sql`analyze page_blocks`.execute(db);
  const { rows: indexes } = await sql<{ on: string }>`
    select pg_get_indexdef(indexrelid) as on from pg_index
    where indrelid = 'page_blocks'::regclass and pg_get_indexdef(indexrelid) like '%gin%'`.execute(db);
  expect(indexes).toEqual([{ on: expect.stringContaining("(account_id, text ") }]);
  const search = (query: object) =>
    db.connection().execute(async (client) => {
      const countRead = async () => {
        await sql`select pg_stat_force_next_flush()`.execute(client);
        const { rows } = await sql<{ read: number }>`
          select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables
          where relname = 'page_blocks'`.execute(client);
        return rows[0]?.read ?? 0;
      };
      const before = await countRead();
      const { lines } = await searchHistory({ db: client }, { accountId }, SearchQuery.parse(query));
      return { lines: lines.map(({ text }) => text), read: (await countRead()) - before };
    });
  for (const [query, lines] of [
    [{ q: "secret merger" }, []],
    [{ q: "secret merger", mode: "words" }, []],
    [{ q: "secret m[a-z]+r", mode: "regex" }, []],
    [{ q: "harbors" }, ["A merger of harbors"]],
  ] as const) {
    const found = await search(query);
    expect(found.lines).toEqual(lines);
    expect(found.read).toBeLessThanOrEqual(own + 2);
  }
});
