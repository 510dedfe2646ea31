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
import { type BlobStore, openBlobs, unlessLost } from "./blobs.ts";

type Table = { name: string; rows: number; digest: string };
type Manifest = { madeAt: string; keyId: string; migrations: string[]; tables: Table[]; blobs: number };
type Said = (sentence: string) => void;

const page = 500;
const pageBytes = 8_000_000;
/** How many captures are copied at once. */
const atOnce = 8;
/** What waits in the queue is part of what must not be lost; what is over is not. */
const tasks = { name: "pgboss.job", condition: "where state < 'completed'" };

/**
 * Writes every table as of one moment, and every capture they refer to, into a folder. The system may go on running. A
 * second backup into the same folder copies only captures that are new; the one before it stands until this one is whole.
 */
export async function backUp(
  { connectionString, blobs, keyId }: { connectionString: string; blobs: BlobStore; keyId: string },
  folder: string,
  say: Said,
): Promise<Manifest> {
  await assertOurs(folder);
  const aside = join(folder, "tables.new");
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  const kept = await openBlobs(pathToFileURL(join(folder, "blobs")));
  const client = await connect(connectionString);
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables: Table[] = [];
    for (const name of await tableNames(client)) {
      await pipeline(
        Readable.from(lines(client, name)),
        createGzip(),
        createWriteStream(fileIn(aside, name), { mode: 0o600 }),
      );
      const table = { name, ...(await weigh(client, name)) };
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
    const problem = await stillWanted(client, missing);
    if (problem) throw new Error(problem);
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
    await rename(aside, join(folder, "tables"));
    await rename(`${file}.new`, file);
    return manifest;
  } finally {
    await client.end();
  }
}

/** Nothing is written among files that are not ours. */
async function assertOurs(folder: string): Promise<void> {
  const ours = ["blobs", "tables", "tables.new", "manifest.json", "manifest.json.new"];
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (found.some((name) => !ours.includes(name)))
    throw new Error(`${folder} holds other files; a backup wants a folder of its own`);
}

type Content = { owner: string; blob: Buffer };

/** Does something with each capture that the tables refer to, some at once. */
async function eachContent(
  client: pg.Client,
  count: number,
  say: Said,
  use: (content: Content) => Promise<void>,
): Promise<void> {
  const turns = pLimit(atOnce);
  let done = 0;
  for await (const contents of pagesOf<Content>(client, "select account_id as owner, blob from contents")) {
    await turns.map(contents, use);
    done += contents.length;
    if (done % (2 * page) === 0) say(`captures: ${done} of ${count}`);
  }
  say(`captures: ${done} of ${count}`);
}

/** What was removed while the backup ran is wanted by nobody; what is, and cannot be read, is a loss. */
async function stillWanted(client: pg.Client, missing: Content[]): Promise<string | undefined> {
  if (missing.length === 0) return undefined;
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from contents
     join unnest($1::uuid[], $2::bytea[]) as gone (owner, hash) on account_id = owner and blob = hash`,
    [missing.map(({ owner }) => owner), missing.map(({ blob }) => blob)],
  );
  const count = rows[0]?.count ?? 0;
  return count > 0 ? `${count} captures are missing or altered in the store` : undefined;
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
}

/** Fills empty tables of the backup's version, and the store; answers what does not compare equal: then nothing is kept. */
export async function restore(
  { connectionString, blobs }: { connectionString: string; blobs: BlobStore },
  folder: string,
  say: Said,
): Promise<string[]> {
  const { tables, blobs: count } = await readManifest(folder);
  const problems: string[] = [];
  const client = await connect(connectionString);
  try {
    // Until it is over, nothing is there: what fails half-way can be tried again.
    await client.query("begin");
    const inOrder = await parentsFirst(client);
    const byName = new Map(tables.map((table) => [table.name, table]));
    // What migrations put there is in the backup, too.
    for (const name of [...inOrder].reverse())
      if (byName.has(name)) await client.query(`delete from ${name}`);
    for (const name of inOrder) {
      const table = byName.get(name);
      if (!table) continue;
      if (name !== tasks.name) await client.query(`alter table ${name} disable trigger user`);
      await fill(client, folder, name);
      if (name !== tasks.name) await client.query(`alter table ${name} enable trigger user`);
      await restartIdentity(client, name);
      const { rows, digest } = await weigh(client, name);
      if (rows !== table.rows || digest !== table.digest)
        problems.push(`${name}: its ${rows} rows are not the ${table.rows} that were backed up`);
      if (rows > 0) say(`${name}: ${rows} rows`);
    }
    if (problems.length > 0) return problems;
    const kept = await openBlobs(pathToFileURL(join(folder, "blobs")));
    const wanted = byName.get("contents")?.rows ?? 0;
    let there = 0;
    await eachContent(client, wanted, say, async ({ owner, blob }) => {
      const bytes = await kept.get(owner, blob).catch(unlessLost);
      if (!bytes) return;
      await blobs.put(owner, bytes);
      if (await blobs.get(owner, blob).catch(unlessLost)) there++;
    });
    if (there < count) problems.push(`captures: ${count - there} of ${count} are missing or altered`);
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

/** Rows in pages: as many at once as are some megabytes, for a report has twenty by itself. */
async function* pagesOf<Row extends object>(
  client: pg.Client,
  query: string,
  lengthOf: (row: Row) => number = () => 0,
): AsyncGenerator<Row[]> {
  await client.query(`declare walk no scroll cursor for ${query}`);
  for (let wanted = lengthOf.length > 0 ? 10 : page; ; ) {
    const { rows } = await client.query<Row>(`fetch ${wanted} from walk`);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) break;
    const mean = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
    wanted = Math.max(1, Math.min(page, Math.floor(pageBytes / Math.max(mean, 1))));
  }
  await client.query("close walk");
}

async function* lines(client: pg.Client, name: string): AsyncGenerator<string> {
  const query = `select to_jsonb(t)::text as line from ${name} as t ${conditionOf(name)}`;
  for await (const rows of pagesOf<{ line: string }>(client, query, ({ line }) => line.length))
    for (const { line } of rows) yield `${line}\n`;
}

/** How many rows there are and a sum that differs when one does, whatever their order. */
async function weigh(client: pg.Client, name: string): Promise<{ rows: number; digest: string }> {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(to_jsonb(t)::text, 0)), 0)::text as digest
     from ${name} as t ${conditionOf(name)}`,
  );
  return { rows: Number(rows[0]?.rows ?? 0), digest: rows[0]?.digest ?? "" };
}

async function fill(client: pg.Client, folder: string, name: string): Promise<void> {
  let some: string[] = [];
  let bytes = 0;
  const flush = async () => {
    const [first] = some;
    if (first === undefined) return;
    // Only what the backup knows: what is newer keeps its default.
    const columns = Object.keys(JSON.parse(first) as object)
      .map((column) => pg.escapeIdentifier(column))
      .join(", ");
    await client.query(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [`[${some.join(",")}]`],
    );
    some = [];
    bytes = 0;
  };
  const file = createReadStream(fileIn(join(folder, "tables"), name)).pipe(createGunzip());
  for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
    some.push(line);
    bytes += line.length;
    if (some.length >= page || bytes > pageBytes) await flush();
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

/** A table after those that it refers to. */
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
