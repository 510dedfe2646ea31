// How long searches take as the page index grows, and how much space it needs for real page histories.
//   npm run bench:search [-- DIR]
// STAYS sets how many stays the index has at the end (1,000,000); the searches are measured at a tenth of that, too.
// DIR holds histories (`0.html`, `1.html` …); their stays are also compared with a scan of all captures.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { SearchQuery } from "#contract/page-block.ts";
import { starterPatterns } from "#contract/search-alert.ts";
import { extractPage } from "#detection/html-parsing/extract-page.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { blocksOf, digestBlocks } from "#page-index/blocks-of.ts";
import { indexCaptures } from "#page-index/index-captures.ts";
import { searchHistory } from "#page-index/search-history.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { median } from "./capture/ratios.ts";
import { show } from "./capture/show.ts";

const stays = Number(process.env.STAYS ?? 1_000_000);
const rounds = Number(process.env.ROUNDS ?? 15);
const histories = process.argv[2] ?? join(import.meta.dirname, "../../shared/corpus/sequences");

const folder = await mkdtemp(join(tmpdir(), "bench-search-"));
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
try {
  await migrate(postgres.connectionString);
  const database = openDatabase(postgres.connectionString, { statementTimeoutMs: 0 });
  const { db } = database;
  if (existsSync(histories)) await measureHistories(db);
  else console.log(`no histories at ${histories}`);
  await db.deleteFrom("page_stays").execute();
  await db.deleteFrom("page_blocks").execute();
  const accountId = randomUUID();
  const small = await measureSearches({ db }, accountId, stays / 10);
  const large = await measureSearches({ db }, accountId, stays);
  for (const [name, ms] of Object.entries(large)) {
    show(
      `${name}, ${stays.toLocaleString("en")} stays, ms`,
      ms,
      name.startsWith("many") ? undefined : "under 200",
    );
    show(`${name}, ten times the stays / a tenth`, ms / (small[name] ?? Number.NaN));
  }
  await database.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

type Deps = Parameters<typeof searchHistory>[0];

/** Milliseconds of each search over an index of that size: half as many lines as stays, on 2,000 pages. */
async function measureSearches(
  deps: Deps,
  accountId: string,
  count: number,
): Promise<Record<string, number>> {
  await growTo(deps.db, accountId, count);
  const searches: Record<string, object> = {
    "a rare text": { q: "needle 4242" },
    "two words": { q: "needle 4242", mode: "words" },
    "a text that isn't there": { q: "quizzical xylophone" },
    "a regular expression": { q: "needle 42[0-9]{2}\\y", mode: "regex" },
    "a text in one kind": { q: "needle 77", kind: "link" },
    "many lines, more than a search covers": { q: "w0017" },
  };
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, query] of Object.entries(searches)) {
      const began = performance.now();
      await searchHistory(deps, { accountId }, SearchQuery.parse(query));
      (times[name] ??= []).push(performance.now() - began);
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

/** Lines of twelve words, rare and frequent ones as in a language; every fiftieth has a number that is looked for. */
async function growTo(db: Database, accountId: string, count: number): Promise<void> {
  await sql`
    insert into page_blocks (account_id, hash, kind, text)
    select ${accountId}, uuid_send(gen_random_uuid()), (array['text', 'text', 'text', 'link', 'header'])[1 + n % 5],
      (select string_agg('w' || lpad(floor(5000 * power(random(), 3))::integer::text, 4, '0'), ' ')
        from generate_series(1, 12 + n * 0))
      || case when n % 50 = 0 then ' needle ' || n / 50 else '' end
    from generate_series((select count(*) + 1 from page_blocks), ${count / 2}::integer) as n
  `.execute(db);
  await sql`
    insert into page_stays (block_id, job_id, first_id, first_at, gone_id, gone_at)
    select block.id, md5(((block.id * 7 + n * 13) % 2000)::text)::uuid, uuidv7(), now() - random() * interval '300 days',
      case when n = 1 then uuidv7() end, case when n = 1 then now() end
    from page_blocks as block cross join generate_series(1, 2) as n
    where not exists (select from page_stays where block_id = block.id)
  `.execute(db);
  await sql`vacuum analyze page_blocks, page_stays`.execute(db);
}

type Capture = { executionId: string; lines: string[] };

/** The space that real histories need, and whether their stays are those of a scan. */
async function measureHistories(db: Database): Promise<void> {
  const accountId = randomUUID();
  let [captures, bytes, wrong] = [0, 0, 0];
  const secrets = starterPatterns.map(({ q }) => new RegExp(q));
  const alarms = new Set<string>();
  const later: number[] = [];
  const read: number[] = [];
  const first: number[] = [];
  const written: number[] = [];
  for (const name of readdirSync(histories).sort()) {
    const jobId = randomUUID();
    const seen: Capture[] = [];
    for (let number = 1; existsSync(join(histories, name, `${number - 1}.html`)); number++) {
      const html = readFileSync(join(histories, name, `${number - 1}.html`), "utf8");
      const page = readPage(html);
      const began = performance.now();
      const blocks = blocksOf(page);
      digestBlocks(blocks);
      read.push(performance.now() - began);
      const { rows } = await sql<{ id: string; before: number }>`
        select uuidv7() as id, (select coalesce(sum(octet_length(text)), 0) from page_blocks) as before`.execute(
        db,
      );
      const [{ id: executionId, before } = { id: "", before: 0 }] = rows;
      const indexed = performance.now();
      await db
        .transaction()
        .execute((tx) =>
          indexCaptures(tx, [{ jobId, accountId, executionId, number, at: new Date(), blocks }]),
        );
      (number > 1 ? written : first).push(performance.now() - indexed);
      const after = await textBytes(db);
      if (number > 1) later.push(after - before);
      captures++;
      for (const { text } of blocks) if (secrets.some((pattern) => pattern.test(text))) alarms.add(text);
      bytes += blocks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      seen.push({ executionId, lines: blocks.map(({ kind, text }) => `${kind} ${text}`) });
    }
    if (!(await matchesScan(db, jobId, seen))) wrong++;
  }
  const distinct = await textBytes(db);
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size('page_blocks') + pg_total_relation_size('page_stays') as bytes`.execute(db);
  show(`captures of ${readdirSync(histories).length} pages`, captures);
  show("text of distinct blocks, % of all", (100 * distinct) / bytes);
  show(
    "text that a later capture adds, bytes, average",
    later.reduce((sum, each) => sum + each, 0) / later.length,
  );
  show("text that a later capture adds, bytes, median", median(later));
  show("reading the blocks of a capture, ms, median", median(read));
  show("indexing a first capture, ms, median", median(first));
  show("indexing a later capture, ms, median", median(written));
  show("tables and indexes, MB", (rows[0]?.bytes ?? 0) / 1e6);
  show("lines that the patterns of leaked secrets find", alarms.size, "0, unless it is one");
  for (const line of alarms) console.log(`  ${line.slice(0, 100)}`);
  show("histories whose stays differ from a scan", wrong, "0");
}

async function textBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(text)), 0) as bytes from page_blocks`.execute(db);
  return rows[0]?.bytes ?? 0;
}

function readPage(html: string) {
  const url = "https://page.example/";
  const { title, blocks, links, forms, scripts } = extractPage(html, url);
  return {
    ...snapshotOf(html, "html", url),
    title,
    text: blocks.filter(({ hidden }) => hidden === ""),
    links,
    forms,
    scripts: scripts.map(({ src, code }) => ({ src, sha256: code === "" ? "" : String(code.length) })),
  };
}

/** Compares a job's stays with what a scan of its captures finds. */
async function matchesScan(db: Database, jobId: string, seen: Capture[]): Promise<boolean> {
  const { rows } = await sql<{ stay: string }>`
    select concat_ws(' ', kind, text, first_id, coalesce(gone_id::text, 'still')) as stay
    from page_stays join page_blocks on id = block_id where job_id = ${jobId}`.execute(db);
  const scanned: string[] = [];
  const open = new Map<string, string>();
  for (const { executionId, lines } of seen) {
    const now = new Set(lines);
    for (const [line, first] of open)
      if (!now.has(line)) {
        scanned.push(`${line} ${first} ${executionId}`);
        open.delete(line);
      }
    for (const line of now) if (!open.has(line)) open.set(line, executionId);
  }
  for (const [line, first] of open) scanned.push(`${line} ${first} still`);
  const stored = rows.map(({ stay }) => stay).sort();
  return stored.length === scanned.length && scanned.sort().every((stay, at) => stay === stored[at]);
}
