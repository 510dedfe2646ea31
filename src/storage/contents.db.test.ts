import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collectContents } from "#retention/delete-history.ts";
import { type BlobStore, openBlobs } from "./blobs.ts";
import {
  addRefs,
  decodePicture,
  openCaptureCache,
  readBytes,
  readPixels,
  readPng,
  storeBytes,
  storePicture,
} from "./contents.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
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

/** A page and its revisions, each a little different from the previous one. */
const base = randomBytes(20_000).toString("hex");
const revision = (n: number) => Buffer.from(`${base.slice(0, n * 100)}<p>${n}</p>${base.slice(n * 100)}`);

async function storeSeries(owner: string, count: number): Promise<Buffer[]> {
  const hashes: Buffer[] = [];
  for (let n = 0; n < count; n++) {
    const hash = await storeBytes(deps(), owner, revision(n), hashes.at(-1));
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

describe("chains of contents", () => {
  test("every revision is read back exactly, with a keyframe every twenty revisions", async () => {
    const owner = await newAccount();
    const hashes = await storeSeries(owner, 25);
    for (const [n, hash] of hashes.entries())
      expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(n))).toBe(true);
    const rows = await contents(owner);
    expect(rows.filter((row) => row.base === null)).toHaveLength(2);
    expect(Math.max(...rows.map((row) => row.depth))).toBe(19);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
    expect(await usage(owner)).toBeLessThan(2 * 21_000 + 23 * 300);
  });

  test("storing the same content again takes no more storage", async () => {
    const owner = await newAccount();
    const first = await storeBytes(deps(), owner, revision(1));
    const before = [await usage(owner), files(owner).length];
    expect(await storeBytes(deps(), owner, revision(1), randomBytes(32))).toEqual(first);
    expect([await usage(owner), files(owner).length]).toEqual(before);
    const one = await storePicture(deps(), owner, await picture(3));
    const other = await sharp(await picture(3))
      .png({ compressionLevel: 0 })
      .toBuffer();
    const after = [await usage(owner), files(owner).length];
    expect(await storePicture(deps(), owner, await picture(3))).toEqual(one);
    expect(await storePicture(deps(), owner, other)).toEqual(one);
    expect([await usage(owner), files(owner).length]).toEqual(after);
  });

  test("content that a cache holds isn't read from the store and is recognized by its bytes", async () => {
    const owner = await newAccount();
    const hash = await storeBytes(deps(), owner, revision(1));
    const held = revision(1);
    const cache = openCaptureCache(
      { ...deps(), blobs: { ...blobs, get: () => Promise.reject(new Error("read")) } },
      owner,
    );
    await expect(cache.bytes(hash)).rejects.toThrow("read");
    await cache.hold(held);
    expect(await cache.bytes(hash)).toBe(held);
    expect(await storeBytes(deps(), owner, held, null, cache)).toEqual(hash);
  });

  test("pictures in a chain are read back as PNG with the same pixels", async () => {
    const owner = await newAccount();
    let previous: Buffer | undefined;
    for (let seed = 1; seed < 24; seed++) {
      const file = await picture(seed);
      previous = await storePicture(deps(), owner, file, previous);
      const back = await readPng(deps(), owner, previous);
      expect(Buffer.from(back.subarray(1, 4)).toString()).toBe("PNG");
      expect(await decodePicture(back)).toEqual(await decodePicture(file));
    }
  });

  test("concurrent reads of a picture read its file once, and a later read reads it again", async () => {
    const owner = await newAccount();
    const hash = await storePicture(deps(), owner, await picture(1));
    let reads = 0;
    const counting: BlobStore = {
      ...blobs,
      get(...args) {
        reads++;
        return blobs.get(...args);
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

  test("concurrent captures of the same content store it once, and it can be read", async () => {
    const owner = await newAccount();
    const first = await storeBytes(deps(), owner, revision(1));
    const hashes = await Promise.all(
      Array.from({ length: 8 }, () => storeBytes(deps(), owner, revision(2), first)),
    );
    expect(new Set(hashes.map((hash) => hash.toString("hex"))).size).toBe(1);
    expect(Buffer.from(await readBytes(deps(), owner, hashes[0] as Buffer)).equals(revision(2))).toBe(true);
    const rows = await contents(owner);
    expect(rows).toHaveLength(2);
    expect(rows.map((row) => row.refs)).toEqual([1, 0]);
    expect(files(owner)).toHaveLength(2);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
  });

  test("contents stored for several accounts at once are complete, even if another account was deleted", async () => {
    const owners = [await newAccount(), await newAccount()];
    const deletedAccount = randomUUID();
    const firsts = await Promise.all(owners.map((owner) => storeBytes(deps(), owner, revision(0))));
    const writes = owners.flatMap((owner, at) =>
      Array.from({ length: 12 }, (_, n) => storeBytes(deps(), owner, revision(n + 1), firsts[at])),
    );
    const [errorMessage, ...hashes] = await Promise.all([
      storeBytes(deps(), deletedAccount, revision(1)).catch((error: Error) => error.message),
      ...writes,
    ]);
    expect(errorMessage).toMatch(/account was deleted/);
    expect(readdirSync(folder)).not.toContain(deletedAccount);
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

  test("an altered link of a chain is detected on reading, and new content doesn't build on it", async () => {
    const owner = await newAccount();
    const [first = Buffer.alloc(0)] = await storeSeries(owner, 1);
    const [file = ""] = files(owner);
    const bytes = readFileSync(file);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(readBytes(deps(), owner, first)).rejects.toThrow("is altered");
    const next = await storeBytes(deps(), owner, revision(5), first);
    expect(Buffer.from(await readBytes(deps(), owner, next)).equals(revision(5))).toBe(true);
  });

  test("a missing file is written again when the same content is stored", async () => {
    const owner = await newAccount();
    const hash = await storeBytes(deps(), owner, revision(1));
    for (const file of files(owner)) rmSync(file);
    await expect(readBytes(deps(), owner, hash)).rejects.toThrow("is missing");
    await storeBytes(deps(), owner, revision(1));
    expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(1))).toBe(true);
    const rows = await contents(owner);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
  });

  test("a process killed while it stores the same content as another leaves no row without its file", async () => {
    const owner = await newAccount();
    const base = await storeBytes(deps(), owner, revision(0));
    const [firstWrites, firstMayWrite] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: BlobStore = {
      ...blobs,
      async put(...file) {
        firstWrites.resolve();
        await firstMayWrite.promise;
        return blobs.put(...file);
      },
    };
    const first = storeBytes({ ...deps(), blobs: slow }, owner, revision(1));
    await firstWrites.promise;
    // Another process packs the same content as a difference, and is killed before that is written.
    const killed = { ...blobs, put: () => Promise.reject(new Error("killed")) };
    await expect(storeBytes({ ...deps(), blobs: killed }, owner, revision(1), base)).rejects.toThrow(
      "killed",
    );
    firstMayWrite.resolve();
    expect(Buffer.from(await readBytes(deps(), owner, await first)).equals(revision(1))).toBe(true);
    const rows = await contents(owner);
    expect(rows.map((row) => row.refs)).toEqual([0, 0]);
    expect(await usage(owner)).toBe(rows.reduce((sum, row) => sum + row.stored_bytes, 0));
  });

  test("a reference to content that isn't stored is refused", async () => {
    const owner = await newAccount();
    await expect(addRefs(database.db, owner, [randomBytes(32)], 1)).rejects.toThrow("disappeared");
  });
});

describe("collection of unused contents", () => {
  test("removes contents without references and never breaks a chain", async () => {
    const owner = await newAccount();
    const hashes = await storeSeries(owner, 25);
    const kept = [7, 24];
    const gone = hashes.filter((_, n) => !kept.includes(n));
    await addRefs(database.db, owner, gone, -1);
    await collectContents(database.db, blobs, 0);
    for (const n of kept)
      expect(Buffer.from(await readBytes(deps(), owner, hashes[n] as Buffer)).equals(revision(n))).toBe(true);
    // 0 to 7 are all needed; 8 to 19 build on 7 and were removed; 20 to 24 are another chain.
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

  test("leaves contents that a running capture is about to refer to", async () => {
    const owner = await newAccount();
    const hash = await storeBytes(deps(), owner, revision(1));
    await sql`update contents set touched_at = now() - interval '2 hours' where account_id = ${owner}`.execute(
      database.db,
    );
    // Storing the same content again means that a capture is about to refer to it.
    await storeBytes(deps(), owner, revision(1));
    await collectContents(database.db, blobs);
    expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(1))).toBe(true);
  });

  test("loses no content while captures store the same content", async () => {
    const owner = await newAccount();
    const failures: string[] = [];
    const capture = async () => {
      const hash = await storeBytes(deps(), owner, revision(3));
      // A capture may fail here and be repeated, but a reference to missing content must not happen.
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
    const hash = await storeBytes(deps(), owner, revision(3));
    expect(Buffer.from(await readBytes(deps(), owner, hash)).equals(revision(3))).toBe(true);
  });
});
