import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BlobStore, openBlobs } from "./blobs.ts";
import {
  addRefs,
  decodePicture,
  keepBytes,
  keepPicture,
  openAlbum,
  readBytes,
  readPixels,
  readPng,
} from "./chains.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { collectContents } from "./retention.ts";
import { copyDatabase } from "./testing/copy-database.ts";

let copy: Awaited<ReturnType<typeof copyDatabase>>;
let database: OpenDatabase;
let blobs: BlobStore;
const folder = mkdtempSync(join(tmpdir(), "chains-"));

beforeAll(async () => {
  copy = await copyDatabase();
  database = openDatabase(copy.connectionString);
  blobs = await openBlobs(pathToFileURL(folder));
});
afterAll(async () => {
  await database.close();
  await copy.drop();
  rmSync(folder, { recursive: true });
});

const deps = () => ({ db: database.db, blobs });
const files = (owner: string) =>
  readdirSync(join(folder, owner), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function newAccount(): Promise<string> {
  const id = randomUUID();
  await sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)
    values (${id}, ${id}, ${id}, 'A', 'B', '', '', ${randomBytes(32)})`.execute(database.db);
  return id;
}
const usage = async (id: string) =>
  (
    await database.db
      .selectFrom("account_usage")
      .select("stored_bytes")
      .where("account_id", "=", id)
      .executeTakeFirst()
  )?.stored_bytes ?? 0;
const contents = (id: string) =>
  database.db.selectFrom("contents").selectAll().where("account_id", "=", id).orderBy("depth").execute();

/** A page and its revisions, each a little different from the one before. */
const base = randomBytes(20_000).toString("hex");
const revision = (n: number) => Buffer.from(`${base.slice(0, n * 100)}<p>${n}</p>${base.slice(n * 100)}`);

async function keepSeries(owner: string, count: number): Promise<Buffer[]> {
  const hashes: Buffer[] = [];
  for (let n = 0; n < count; n++) {
    const hash = await keepBytes(deps(), owner, revision(n), hashes.at(-1));
    await addRefs(database.db, owner, [hash], 1);
    hashes.push(hash);
  }
  return hashes;
}

async function picture(seed: number): Promise<Buffer> {
  const data = Buffer.alloc(40 * 60 * 3, seed);
  data.fill(seed + 1, 40 * 3 * 30);
  return sharp(data, { raw: { width: 40, height: 60, channels: 3 } })
    .png({ compressionLevel: seed % 9 })
    .toBuffer();
}

describe("chains", () => {
  test("every revision comes back exactly, with a keyframe every twenty", async () => {
    const owner = await newAccount();
    const hashes = await keepSeries(owner, 45);
    for (const [n, hash] of hashes.entries())
      expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(n))).toBe(true);
    const rows = await contents(owner);
    expect(rows.filter((row) => row.base === null)).toHaveLength(3);
    expect(Math.max(...rows.map((row) => row.depth))).toBe(19);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
    expect(await usage(owner)).toBeLessThan(3 * 21_000 + 42 * 300);
  });

  test("the same content costs nothing twice", async () => {
    const owner = await newAccount();
    const first = await keepBytes(deps(), owner, revision(1));
    const before = [await usage(owner), files(owner).length];
    expect(await keepBytes(deps(), owner, revision(1), randomBytes(32))).toEqual(first);
    expect([await usage(owner), files(owner).length]).toEqual(before);
    const one = await keepPicture(deps(), owner, await picture(3));
    const other = await sharp(await picture(3))
      .png({ compressionLevel: 0 })
      .toBuffer();
    const after = [await usage(owner), files(owner).length];
    expect(await keepPicture(deps(), owner, await picture(3))).toEqual(one);
    expect(await keepPicture(deps(), owner, other)).toEqual(one);
    expect([await usage(owner), files(owner).length]).toEqual(after);
  });

  test("what is held is not read from the store, and known by its bytes", async () => {
    const owner = await newAccount();
    const hash = await keepBytes(deps(), owner, revision(1));
    const held = revision(1);
    const album = openAlbum(
      { ...deps(), blobs: { ...blobs, get: () => Promise.reject(new Error("read")) } },
      owner,
    );
    await expect(album.bytes(hash)).rejects.toThrow("read");
    await album.hold(held);
    expect(await album.bytes(hash)).toBe(held);
    expect(await keepBytes(deps(), owner, held, null, album)).toEqual(hash);
  });

  test("pictures come back as PNG with the same pixels, over a chain", async () => {
    const owner = await newAccount();
    let near: Buffer | undefined;
    for (let seed = 1; seed < 24; seed++) {
      const file = await picture(seed);
      near = await keepPicture(deps(), owner, file, near);
      const back = await readPng(deps(), owner, near);
      expect(Buffer.from(back.subarray(1, 4)).toString()).toBe("PNG");
      expect(await decodePicture(back)).toEqual(await decodePicture(file));
    }
  });

  test("a picture asked for several times at once is read once, and again by who asks later", async () => {
    const owner = await newAccount();
    const hash = await keepPicture(deps(), owner, await picture(1));
    let reads = 0;
    const counting: BlobStore = {
      ...blobs,
      get(...asked) {
        reads++;
        return blobs.get(...asked);
      },
    };
    const read = () => readPixels({ db: database.db, blobs: counting }, owner, hash);
    const [one, other] = await Promise.all([read(), read()]);
    expect([reads, one === other]).toEqual([1, true]);
    await blobs.removeOwner(owner);
    await expect(Promise.all([read(), read()])).rejects.toThrow(/missing/);
    await expect(read()).rejects.toThrow(/missing/);
    expect(reads).toBe(3);
  });

  test("racing captures of the same content keep it once and both can read it", async () => {
    const owner = await newAccount();
    const first = await keepBytes(deps(), owner, revision(1));
    const hashes = await Promise.all(
      Array.from({ length: 8 }, () => keepBytes(deps(), owner, revision(2), first)),
    );
    expect(new Set(hashes.map((hash) => hash.toString("hex"))).size).toBe(1);
    expect(Buffer.from(await readBytes(deps(), owner, hashes[0] as Buffer)).equals(revision(2))).toBe(true);
    const rows = await contents(owner);
    expect(rows).toHaveLength(2);
    expect(rows.map((row) => row.refs)).toEqual([1, 0]);
    expect(files(owner)).toHaveLength(2);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
  });

  test("what is kept for several accounts at once is whole for each, and one that is gone spoils no other's", async () => {
    const owners = [await newAccount(), await newAccount()];
    const gone = randomUUID();
    const firsts = await Promise.all(owners.map((owner) => keepBytes(deps(), owner, revision(0))));
    const all = owners.flatMap((owner, at) =>
      Array.from({ length: 12 }, (_, n) => keepBytes(deps(), owner, revision(n + 1), firsts[at])),
    );
    const [lost, ...hashes] = await Promise.all([
      keepBytes(deps(), gone, revision(1)).catch((error: Error) => error.message),
      ...all,
    ]);
    expect(lost).toMatch(/account was deleted/);
    expect(readdirSync(folder)).not.toContain(gone);
    for (const [at, owner] of owners.entries()) {
      const rows = await contents(owner);
      expect(rows.map((row) => row.refs)).toEqual([12, ...Array(12).fill(0)]);
      expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
      expect(files(owner)).toHaveLength(13);
      for (let n = 0; n < 12; n++) {
        const read = await readBytes(deps(), owner, hashes[at * 12 + n] as Buffer);
        expect(Buffer.from(read).equals(revision(n + 1))).toBe(true);
      }
    }
  });

  test("an altered link is noticed on reading, and is not built on", async () => {
    const owner = await newAccount();
    const [first = Buffer.alloc(0)] = await keepSeries(owner, 1);
    const [file = ""] = files(owner);
    const bytes = readFileSync(file);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(readBytes(deps(), owner, first)).rejects.toThrow("is altered");
    const next = await keepBytes(deps(), owner, revision(5), first);
    expect(Buffer.from(await readBytes(deps(), owner, next)).equals(revision(5))).toBe(true);
  });

  test("a row whose file was never written is written at the next chance", async () => {
    const owner = await newAccount();
    const hash = await keepBytes(deps(), owner, revision(1));
    for (const file of files(owner)) rmSync(file);
    await expect(readBytes(deps(), owner, hash)).rejects.toThrow("is missing");
    await keepBytes(deps(), owner, revision(1));
    expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(1))).toBe(true);
    const rows = await contents(owner);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
  });

  test("nothing can refer to what is not kept", async () => {
    const owner = await newAccount();
    await expect(addRefs(database.db, owner, [randomBytes(32)], 1)).rejects.toThrow("disappeared");
  });
});

describe("collection", () => {
  test("removes what nothing refers to, and never breaks a chain", async () => {
    const owner = await newAccount();
    const hashes = await keepSeries(owner, 25);
    const kept = [7, 24];
    const gone = hashes.filter((_, n) => !kept.includes(n));
    await addRefs(database.db, owner, gone, -1);
    await collectContents(database.db, blobs, 0);
    for (const n of kept)
      expect(Buffer.from(await readBytes(deps(), owner, hashes[n] as Buffer)).equals(revision(n))).toBe(true);
    // Below 7 all are needed; 8 to 19 build on it and went; 20 to 24 are another chain.
    expect(await contents(owner)).toHaveLength(8 + 5);
    expect(files(owner)).toHaveLength(8 + 5);
    const rows = await contents(owner);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
    await addRefs(
      database.db,
      owner,
      kept.map((n) => hashes[n] as Buffer),
      -1,
    );
    await collectContents(database.db, blobs, 0);
    expect([await contents(owner), files(owner), await usage(owner)]).toEqual([[], [], 0]);
  });

  test("leaves what a running capture is about to refer to", async () => {
    const owner = await newAccount();
    const hash = await keepBytes(deps(), owner, revision(1));
    await sql`update contents set touched_at = now() - interval '2 hours' where account_id = ${owner}`.execute(
      database.db,
    );
    // Seen again: the same content is meant to be referred to from now on.
    await keepBytes(deps(), owner, revision(1));
    await collectContents(database.db, blobs);
    expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(1))).toBe(true);
  });

  test("racing with captures of the same content loses nothing", async () => {
    const owner = await newAccount();
    const failures: string[] = [];
    const capture = async () => {
      const hash = await keepBytes(deps(), owner, revision(3));
      // A capture may fail here and be made again; what must not happen is a reference to nothing.
      await addRefs(database.db, owner, [hash], 1).catch((error: Error) => failures.push(error.message));
      await addRefs(database.db, owner, [hash], -1);
    };
    for (let round = 0; round < 15; round++) {
      await Promise.all([
        capture(),
        collectContents(database.db, blobs, 0),
        capture(),
        collectContents(database.db, blobs, 0),
      ]);
    }
    for (const failure of failures) expect(failure).toContain("disappeared");
    const hash = await keepBytes(deps(), owner, revision(3));
    expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(3))).toBe(true);
  });
});
