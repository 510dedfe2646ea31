import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { createGunzip, createGzip } from "node:zlib";
import pg from "pg";
import { type BlobStore, openBlobs } from "./blobs.ts";

type Table = { name: string; rows: number; digest: string };
type Manifest = { madeAt: string; keyId: string; migrations: string[]; tables: Table[]; blobs: number };
type Said = (sentence: string) => void;

const page = 500;
/** What waits in the queue is part of what must not be lost; what is over is not. */
const tasks = { name: "pgboss.job", condition: "where state < 'completed'" };

/**
 * Writes every table as of one moment, and every capture they refer to, into a folder. The system may go on running. A
 * second backup into the same folder copies only captures that are new.
 */
export async function backUp(
  { connectionString, blobs, keyId }: { connectionString: string; blobs: BlobStore; keyId: string },
  folder: string,
  say: Said,
): Promise<Manifest> {
  await mkdir(join(folder, "tables"), { recursive: true, mode: 0o700 });
  const kept = await openBlobs(pathToFileURL(join(folder, "blobs")));
  const client = await connect(connectionString);
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables: Table[] = [];
    for (const name of await tableNames(client)) {
      const gzip = createGzip();
      await pipeline(
        Readable.from(lines(client, name)),
        gzip,
        createWriteStream(fileOf(folder, name), { mode: 0o600 }),
      );
      const table = { name, ...(await weigh(client, name)) };
      tables.push(table);
      say(`${name}: ${table.rows} rows`);
    }
    let copied = 0;
    let missing = 0;
    for await (const { account_id: owner, blob } of rowsOf<{ account_id: string; blob: Buffer }>(
      client,
      "select account_id, blob from contents",
    )) {
      if (!(await kept.has(owner, blob))) {
        const bytes = await blobs.get(owner, blob).catch(() => undefined);
        if (bytes) await kept.put(owner, bytes);
        else missing++;
      }
      if (++copied % 1000 === 0) say(`captures: ${copied}`);
    }
    say(`captures: ${copied}${missing > 0 ? `, of which ${missing} could not be read` : ""}`);
    const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
    const migrations = rows.map(({ name }) => name);
    const manifest = { madeAt: new Date().toISOString(), keyId, migrations, tables, blobs: copied - missing };
    await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  } finally {
    await client.end();
  }
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
}

/** Fills empty tables of the backup's version, and an empty store; answers what does not compare equal afterwards. */
export async function restore(
  { connectionString, blobs }: { connectionString: string; blobs: BlobStore },
  folder: string,
  say: Said,
): Promise<string[]> {
  const { tables } = await readManifest(folder);
  const problems: string[] = [];
  const client = await connect(connectionString);
  try {
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
        problems.push(`${name}: ${rows} of ${table.rows} rows are the same`);
      say(`${name}: ${rows} rows`);
    }
    if (problems.length > 0) throw new Error(problems.join("; "));
    await client.query("commit");
    let copied = 0;
    const kept = await openBlobs(pathToFileURL(join(folder, "blobs")));
    for await (const { owner, hash } of kept.list()) {
      const put = await blobs.put(owner, await kept.get(owner, hash));
      if (!put.equals(hash)) problems.push(`capture ${hash.toString("hex")} differs`);
      if (++copied % 1000 === 0) say(`captures: ${copied}`);
    }
    say(`captures: ${copied}`);
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
const fileOf = (folder: string, name: string) =>
  join(folder, "tables", `${name.replaceAll('"', "")}.ndjson.gz`);

async function* rowsOf<Row extends object>(client: pg.Client, query: string): AsyncGenerator<Row> {
  await client.query(`declare walk no scroll cursor for ${query}`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${page} from walk`);
    yield* rows;
    if (rows.length < page) break;
  }
  await client.query("close walk");
}

async function* lines(client: pg.Client, name: string): AsyncGenerator<string> {
  const query = `select to_jsonb(t)::text as line from ${name} as t ${conditionOf(name)}`;
  for await (const { line } of rowsOf<{ line: string }>(client, query)) yield `${line}\n`;
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
  const file = createReadStream(fileOf(folder, name)).pipe(createGunzip());
  for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
    some.push(line);
    bytes += line.length;
    if (some.length >= page || bytes > 8_000_000) await flush();
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
