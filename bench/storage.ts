// The stored size of a history and the time to read it: real page histories and a series of screenshots, through the
// same code and database as in the product. `npm run bench:storage -- DIR` takes histories of the same layout.
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { type BlobStore, openBlobs } from "#storage/blobs.ts";
import {
  decodePicture,
  readBytes,
  readPixels,
  readPng,
  storeBytes,
  storePicture,
} from "#storage/contents.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { screenshotSeries } from "./series.ts";
import { keepBothWays } from "./storage/layout.ts";

const histories = process.argv[2] ?? join(import.meta.dirname, "../../shared/corpus/sequences");
const chromium = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium-headless-shell";
const shots = Number(process.env.SHOTS ?? 40);

type Deps = { db: Database; blobs: BlobStore };
type StoredContent = { hash: Buffer; original: Buffer };
const table: Record<string, { value: string; goal: string; ok: boolean }> = {};

const folder = await mkdtemp(join(tmpdir(), "bench-storage-"));
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
try {
  await migrate(postgres.connectionString);
  const database = openDatabase(postgres.connectionString);
  const deps = { db: database.db, blobs: await openBlobs(pathToFileURL(join(folder, "blobs"))) };
  if (existsSync(histories)) await measureHtml(deps);
  else console.log(`no histories at ${histories}`);
  if (existsSync(chromium)) await measurePictures(deps);
  else console.log(`no browser at ${chromium}: set CHROMIUM_PATH`);
  if (existsSync(histories) && existsSync(chromium)) await measureLayout(deps);
  await database.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
console.table(table);
process.exit(Object.values(table).every(({ ok }) => ok) ? 0 : 1);

async function newAccount(db: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)
    select id, id, id, 'A', 'B', '', '', uuid_send(id) from (select gen_random_uuid() as id) as a returning id`.execute(
    db,
  );
  return rows[0]?.id ?? "";
}

async function measureHtml(deps: Deps): Promise<void> {
  const account = await newAccount(deps.db);
  let [gzip, raw, captures, ms] = [0, 0, 0, 0];
  const entries: StoredContent[] = [];
  for (const name of (await readdir(histories)).sort()) {
    let previousHash: Buffer | undefined;
    for (let i = 0; existsSync(join(histories, name, `${i}.html`)); i++) {
      const original = await readFile(join(histories, name, `${i}.html`));
      gzip += gzipSync(original).length;
      raw += original.length;
      captures++;
      const started = performance.now();
      previousHash = await storeBytes(deps, account, original, previousHash);
      ms += performance.now() - started;
      entries.push({ hash: previousHash, original });
    }
  }
  const parts = await readSizes(deps.db, account);
  const stored = parts.keyframes.bytes + parts.differences.bytes;
  const ratio = gzip / stored;
  // These histories are shorter than a chain: over twenty captures a keyframe costs less per capture.
  const perCapture =
    parts.keyframes.bytes / parts.keyframes.count / 20 +
    parts.differences.bytes / (captures - parts.keyframes.count);
  note(
    "HTML: captures, raw / gzip / stored bytes each",
    `${captures}, ${each(raw)} / ${each(gzip)} / ${each(stored)}`,
  );
  note("HTML, times smaller than gzip, histories as they are", `${ratio.toFixed(1)}×`, "≥ 10×", ratio >= 10);
  note(
    "HTML, times smaller than gzip, at one keyframe in twenty",
    `${(gzip / captures / perCapture).toFixed(1)}×`,
    "≥ 10×",
    gzip / captures / perCapture >= 10,
  );
  note("HTML, time to store", `${(ms / captures).toFixed(1)} ms`);
  await measureReading(
    deps,
    "HTML",
    entries,
    ({ hash }) => readBytes(deps, account, hash),
    async (entry) => Buffer.from(await readBytes(deps, account, entry.hash)).equals(entry.original),
  );

  function each(bytes: number): string {
    return Math.round(bytes / captures).toLocaleString("en");
  }
}

async function measurePictures(deps: Deps): Promise<void> {
  const account = await newAccount(deps.db);
  const entries: StoredContent[] = [];
  let [png, ms] = [0, 0];
  let previousHash: Buffer | undefined;
  const series: Buffer[] = [];
  for await (const shot of screenshotSeries(chromium, shots)) series.push(shot);
  for (const original of series) {
    png += original.length;
    const started = performance.now();
    previousHash = await storePicture(deps, account, original, previousHash);
    ms += performance.now() - started;
    entries.push({ hash: previousHash, original });
  }
  const parts = await readSizes(deps.db, account);
  const stored = parts.keyframes.bytes + parts.differences.bytes;
  const kb = (bytes: number) => `${Math.round(bytes / shots / 1000).toLocaleString("en")} KB`;
  note("pictures: PNG / stored each", `${kb(png)} / ${kb(stored)}`);
  note("pictures, times smaller than PNG", `${(png / stored).toFixed(1)}×`, "≥ 10×", png / stored >= 10);
  note("pictures, time to store", `${Math.round(ms / shots)} ms`);
  await measureReading(
    deps,
    "pictures",
    entries,
    ({ hash }) => readPng(deps, account, hash),
    async ({ hash, original }) => {
      const [a, b] = await Promise.all([readPixels(deps, account, hash), decodePicture(original)]);
      return Buffer.compare(a.data, b.data) === 0;
    },
  );
}

/** The cost of storing the layout (the position of each element in the picture) on top of the rest of a capture. */
async function measureLayout(deps: Deps): Promise<void> {
  const accounts = { whole: await newAccount(deps.db), bare: await newAccount(deps.db) };
  const { captures, elements } = await keepBothWays(deps, histories, accounts);
  const bytesOf = async (account: string) => {
    const { keyframes, differences } = await readSizes(deps.db, account);
    return Number(keyframes.bytes) + Number(differences.bytes);
  };
  const [whole, bare] = [await bytesOf(accounts.whole), await bytesOf(accounts.bare)];
  const each = (bytes: number) => Math.round(bytes / captures).toLocaleString("en");
  const share = (100 * (whole - bare)) / bare;
  note("layout: captures, elements each", `${captures}, ${each(elements)}`);
  note("a capture without / with its layout, bytes each", `${each(bare)} / ${each(whole)}`);
  note("layout on top of a capture", `${share.toFixed(1)} %`, "≤ 10 %", captures > 0 && share <= 10);
}

/** Times reading the newest entry and the one deepest in its chain, and verifies that every entry reads back. */
async function measureReading(
  deps: Deps,
  label: string,
  entries: StoredContent[],
  read: (entry: StoredContent) => Promise<Uint8Array>,
  isExact: (entry: StoredContent) => Promise<boolean>,
): Promise<void> {
  let exact = 0;
  for (const entry of entries) if (await isExact(entry)) exact++;
  note(`${label} read back exactly`, `${exact} of ${entries.length}`, "all", exact === entries.length);
  const { rows } = await sql<{ hash: Buffer; depth: number }>`
    select hash, depth from contents where hash = any(${entries.map(({ hash }) => hash)}) order by depth desc limit 1`.execute(
    deps.db,
  );
  const newest = entries.at(-1) as StoredContent;
  const deepest = entries.find(({ hash }) => hash.equals(rows[0]?.hash ?? hash)) as StoredContent;
  for (const [name, entry] of [
    ["newest", newest],
    [`deepest in its chain (${rows[0]?.depth} links)`, deepest],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 9; round++) {
      const started = performance.now();
      await read(entry);
      times.push(performance.now() - started);
    }
    note(`${label} read, ${name}`, `${times.sort((a, b) => a - b)[4]?.toFixed(1)} ms`);
  }
}

async function readSizes(db: Database, account: string) {
  const { rows } = await sql<{ is_key: boolean; bytes: number; count: number }>`
    select base is null as is_key, sum(stored_bytes)::bigint as bytes, count(*) as count from contents
    where account_id = ${account} group by 1`.execute(db);
  const none = { bytes: 0, count: 0 };
  return {
    keyframes: rows.find((row) => row.is_key) ?? none,
    differences: rows.find((row) => !row.is_key) ?? none,
  };
}

function note(label: string, value: string, goal = "", ok = true): void {
  table[label] = { value, goal, ok };
}
