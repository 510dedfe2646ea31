import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { createGunzip, createGzip } from "node:zlib";
import pLimit from "p-limit";
import pg from "pg";
import { type BlobStore, openBlobs, unlessLost } from "../blobs.ts";

type Table = { name: string; rows: number; digest: string };
type Manifest = { madeAt: string; keyId: string; migrations: string[]; tables: Table[]; blobs: number };
/** `lost` counts captures that the history shows but the store no longer has. */
type Backup = Manifest & { lost: number };
type Say = (sentence: string) => void;

const pageRows = 500;
const pageBytes = 8_000_000;
/** How many captures are copied at once. */
const concurrency = 8;
/** Waiting tasks of the queue must not be lost; finished ones aren't backed up. */
const tasks = { name: "pgboss.job", condition: "where state < 'completed'" };

/**
 * Writes every table as of one moment, and every capture they refer to, into a folder. The system may keep running. A
 * second backup into the same folder copies only new captures; the previous one stays valid until this one is complete.
 * Captures that are lost already don't prevent the backup of everything else; they are counted.
 */
export async function backUp(
  { connectionString, blobs, keyId }: { connectionString: string; blobs: BlobStore; keyId: string },
  folder: string,
  say: Say,
): Promise<Backup> {
  await assertBackupFolder(folder);
  const newTables = join(folder, "tables.new");
  await rm(newTables, { recursive: true, force: true });
  await mkdir(newTables, { recursive: true, mode: 0o700 });
  const kept = await openBlobs(pathToFileURL(join(folder, "blobs")));
  const client = await connect(connectionString);
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables: Table[] = [];
    for (const name of await tableNames(client)) {
      await pipeline(
        Readable.from(lines(client, name)),
        createGzip(),
        createWriteStream(fileIn(newTables, name), { mode: 0o600 }),
      );
      const table = { name, ...(await digestTable(client, name)) };
      tables.push(table);
      if (table.rows > 0) say(`${name}: ${table.rows} rows`);
    }
    const count = tables.find(({ name }) => name === "contents")?.rows ?? 0;
    const missing: Content[] = [];
    await eachContent(client, count, say, async (content) => {
      const { owner, blob } = content;
      if (await kept.has(owner, blob)) return;
      const bytes = await blobs.get(owner, blob).catch(unlessLost);
      if (bytes) await kept.put(owner, bytes);
      else missing.push(content);
    });
    const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
    const migrations = rows.map(({ name }) => name);
    await client.query("commit");
    const lost = await countLost(client, missing);
    const manifest = {
      madeAt: new Date().toISOString(),
      keyId,
      migrations,
      tables,
      blobs: count - missing.length,
    };
    const file = join(folder, "manifest.json");
    await writeFile(`${file}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await rm(join(folder, "tables"), { recursive: true, force: true });
    await rename(newTables, join(folder, "tables"));
    await rename(`${file}.new`, file);
    return { ...manifest, lost };
  } finally {
    await client.end();
  }
}

/** Refuses a folder that contains other files. */
async function assertBackupFolder(folder: string): Promise<void> {
  const ours = ["blobs", "tables", "tables.new", "manifest.json", "manifest.json.new"];
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (found.some((name) => !ours.includes(name)))
    throw new Error(`${folder} holds other files; a backup wants a folder of its own`);
}

type Content = { owner: string; blob: Buffer };

/** Calls `use` for each capture that the tables refer to, several at a time. */
async function eachContent(
  client: pg.Client,
  count: number,
  say: Say,
  use: (content: Content) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
  let done = 0;
  for await (const contents of pagesOf<Content>(client, "select account_id as owner, blob from contents")) {
    await limit.map(contents, use);
    done += contents.length;
    if (done % (2 * pageRows) === 0) say(`captures: ${done} of ${count}`);
  }
  say(`captures: ${done} of ${count}`);
}

/**
 * Counts those of the missing captures that are lost. One that was removed while the backup ran isn't, nor is one that
 * nothing refers to: its row is written before its file and outlives it when a process ends in between.
 */
async function countLost(client: pg.Client, missing: Content[]): Promise<number> {
  if (missing.length === 0) return 0;
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from contents
     join unnest($1::uuid[], $2::bytea[]) as missing (owner, blob)
       on contents.account_id = missing.owner and contents.blob = missing.blob
     where contents.refs > 0`,
    [missing.map(({ owner }) => owner), missing.map(({ blob }) => blob)],
  );
  return rows[0]?.count ?? 0;
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
}

/**
 * Fills empty tables of the backup's version, and the store. Returns what doesn't match the backup; in that case
 * nothing is committed.
 */
export async function restore(
  { connectionString, blobs }: { connectionString: string; blobs: BlobStore },
  folder: string,
  say: Say,
): Promise<string[]> {
  const { tables, blobs: count } = await readManifest(folder);
  const problems: string[] = [];
  const client = await connect(connectionString);
  try {
    // In one transaction, so that a restore that fails halfway can be tried again.
    await client.query("begin");
    const inOrder = await parentsFirst(client);
    const byName = new Map(tables.map((table) => [table.name, table]));
    // Rows that migrations inserted are in the backup, too.
    for (const name of [...inOrder].reverse())
      if (byName.has(name)) await client.query(`delete from ${name}`);
    for (const name of inOrder) {
      const table = byName.get(name);
      if (!table) continue;
      if (name !== tasks.name) await client.query(`alter table ${name} disable trigger user`);
      await fillTable(client, folder, name);
      if (name !== tasks.name) await client.query(`alter table ${name} enable trigger user`);
      await restartIdentity(client, name);
      const { rows, digest } = await digestTable(client, name);
      if (rows !== table.rows || digest !== table.digest)
        problems.push(`${name}: its ${rows} rows are not the ${table.rows} that were backed up`);
      if (rows > 0) say(`${name}: ${rows} rows`);
    }
    if (problems.length > 0) return problems;
    const kept = await openBlobs(pathToFileURL(join(folder, "blobs")));
    const wanted = byName.get("contents")?.rows ?? 0;
    let restored = 0;
    await eachContent(client, wanted, say, async ({ owner, blob }) => {
      const bytes = await kept.get(owner, blob).catch(unlessLost);
      if (!bytes) return;
      await blobs.put(owner, bytes);
      if (await blobs.get(owner, blob).catch(unlessLost)) restored++;
    });
    if (restored < count) problems.push(`captures: ${count - restored} of ${count} are missing or altered`);
    if (problems.length === 0) await client.query("commit");
    return problems;
  } finally {
    await client.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: "watchglass-backup" });
  await client.connect();
  await client.query("set timezone to 'UTC'");
  return client;
}

async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%' order by relname`,
  );
  return [...rows.map(({ name }) => name), tasks.name];
}

const conditionOf = (name: string) => (name === tasks.name ? tasks.condition : "");
const fileIn = (folder: string, name: string) => join(folder, `${name.replaceAll('"', "")}.ndjson.gz`);

/** Rows in pages of some megabytes, since a single report can have twenty. */
async function* pagesOf<Row extends object>(
  client: pg.Client,
  query: string,
  lengthOf: (row: Row) => number = () => 0,
): AsyncGenerator<Row[]> {
  await client.query(`declare walk no scroll cursor for ${query}`);
  for (let wanted = lengthOf.length > 0 ? 10 : pageRows; ; ) {
    const { rows } = await client.query<Row>(`fetch ${wanted} from walk`);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) break;
    const mean = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
    wanted = Math.max(1, Math.min(pageRows, Math.floor(pageBytes / Math.max(mean, 1))));
  }
  await client.query("close walk");
}

async function* lines(client: pg.Client, name: string): AsyncGenerator<string> {
  const query = `select to_jsonb(t)::text as line from ${name} as t ${conditionOf(name)}`;
  for await (const rows of pagesOf<{ line: string }>(client, query, ({ line }) => line.length))
    for (const { line } of rows) yield `${line}\n`;
}

/** Counts rows, and computes a digest that differs when one of them does, whatever their order. */
async function digestTable(client: pg.Client, name: string): Promise<{ rows: number; digest: string }> {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(to_jsonb(t)::text, 0)), 0)::text as digest
     from ${name} as t ${conditionOf(name)}`,
  );
  return { rows: Number(rows[0]?.rows ?? 0), digest: rows[0]?.digest ?? "" };
}

async function fillTable(client: pg.Client, folder: string, name: string): Promise<void> {
  let batch: string[] = [];
  let bytes = 0;
  const flush = async () => {
    const [first] = batch;
    if (first === undefined) return;
    // Only the columns of the backup: newer columns keep their defaults.
    const columns = Object.keys(JSON.parse(first) as object)
      .map((column) => pg.escapeIdentifier(column))
      .join(", ");
    await client.query(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [`[${batch.join(",")}]`],
    );
    batch = [];
    bytes = 0;
  };
  const file = createReadStream(fileIn(join(folder, "tables"), name)).pipe(createGunzip());
  for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
    batch.push(line);
    bytes += line.length;
    if (batch.length >= pageRows || bytes > pageBytes) await flush();
  }
  await flush();
}

async function restartIdentity(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select attname as column, pg_get_serial_sequence($1, attname) as sequence from pg_attribute
     where attrelid = $1::regclass and attidentity <> ''`,
    [name],
  );
  for (const { column, sequence } of rows) {
    await client.query(
      `select setval($1, greatest((select max(${pg.escapeIdentifier(column)}) from ${name}), 1))`,
      [sequence],
    );
  }
}

/** Lists each table after those that it refers to. */
async function parentsFirst(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select distinct quote_ident(child.relname) as child, quote_ident(parent.relname) as parent from pg_constraint
     join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
     where contype = 'f' and child.relnamespace = 'public'::regnamespace and conrelid <> confrelid`,
  );
  const ordered: string[] = [];
  const visit = (name: string) => {
    if (ordered.includes(name)) return;
    for (const { child, parent } of rows) if (child === name) visit(parent);
    ordered.push(name);
  };
  for (const name of await tableNames(client)) visit(name);
  return ordered;
}
