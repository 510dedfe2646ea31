import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BlobStore, openBlobs } from "./blobs.ts";
import { startS3 } from "./testing/start-s3.ts";

const folder = mkdtempSync(join(tmpdir(), "blobs-"));
const bucketFolder = mkdtempSync(join(tmpdir(), "bucket-"));
let server: Awaited<ReturnType<typeof startS3>>;
let bucket: URL;

beforeAll(async () => {
  server = await startS3(bucketFolder);
  bucket = new URL(
    `s3://S3RVER:S3RVER@captures/below/here?endpoint=${encodeURIComponent(`http://127.0.0.1:${server.port}`)}`,
  );
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
  rmSync(bucketFolder, { recursive: true });
});

function files(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const stored = (root: string, hash: Buffer) =>
  files(root).filter((path) => path.includes(hash.toString("hex")));

describe.each([
  ["disk", () => pathToFileURL(folder), () => folder],
  ["S3", () => bucket, () => bucketFolder],
])("blobs on %s", (_, where, root) => {
  let blobs: BlobStore;
  beforeAll(async () => {
    blobs = await openBlobs(where());
  });

  test("come back by the hash of their bytes", async () => {
    const [owner, bytes] = [randomUUID(), Buffer.from("<html>é\0</html>")];
    const hash = await blobs.put(owner, bytes);
    expect(hash).toEqual(createHash("sha256").update(bytes).digest());
    expect(Buffer.from(await blobs.get(owner, hash))).toEqual(bytes);
    expect(await blobs.has(owner, hash)).toBe(true);
  });

  test("are kept once for one owner, and apart between owners", async () => {
    const [mine, theirs, bytes] = [randomUUID(), randomUUID(), Buffer.from(randomUUID())];
    const hash = await blobs.put(mine, bytes);
    const once = stored(root(), hash).length;
    await Promise.all([blobs.put(mine, bytes), blobs.put(mine, bytes)]);
    expect(stored(root(), hash)).toHaveLength(once);
    await expect(blobs.get(theirs, hash)).rejects.toThrow("is missing");
  });

  test("that were altered are noticed, and a part of one is no hindrance to writing it whole", async () => {
    const [owner, bytes] = [randomUUID(), Buffer.from(randomUUID())];
    const hash = await blobs.put(owner, bytes);
    for (const path of stored(root(), hash))
      if (!path.endsWith(".json") && !path.endsWith(".md5")) writeFileSync(path, "other");
    await expect(blobs.get(owner, hash)).rejects.toThrow("is altered");
    expect(await blobs.has(owner, hash, bytes.length)).toBe(false);
    await blobs.put(owner, bytes);
    expect(Buffer.from(await blobs.get(owner, hash))).toEqual(bytes);
  });

  test("can be removed, twice", async () => {
    const owner = randomUUID();
    const hash = await blobs.put(owner, Buffer.from("gone"));
    await blobs.remove(owner, hash);
    await blobs.remove(owner, hash);
    expect(await blobs.has(owner, hash)).toBe(false);
    await expect(blobs.get(owner, hash)).rejects.toThrow("is missing");
  });

  test("of an owner go together and no one else's go with them", async () => {
    const [mine, theirs] = [randomUUID(), randomUUID()];
    const kept = await blobs.put(theirs, Buffer.from("kept"));
    const hashes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => blobs.put(mine, Buffer.from(`${i}`))),
    );
    await blobs.removeOwner(mine);
    await blobs.removeOwner(mine);
    for (const hash of hashes) expect(await blobs.has(mine, hash)).toBe(false);
    expect(await blobs.has(theirs, kept)).toBe(true);
  });

  test("refuse names that could leave their folder", async () => {
    await expect(blobs.put("../../etc", Buffer.from("x"))).rejects.toThrow("UUID");
    await expect(blobs.get(randomUUID(), Buffer.from("../x"))).rejects.toThrow("32 bytes");
  });

  test("can be probed", async () => {
    await expect(blobs.probe()).resolves.toBeUndefined();
  });
});

test("a wrong key or bucket is an error, not an empty store", async () => {
  const wrongKey = new URL(bucket);
  wrongKey.username = "nobody";
  await expect((await openBlobs(wrongKey)).put(randomUUID(), Buffer.from("x"))).rejects.toThrow(
    "S3 answered 403",
  );
  const wrongBucket = new URL(bucket.href.replace("captures", "nowhere"));
  await expect((await openBlobs(wrongBucket)).put(randomUUID(), Buffer.from("x"))).rejects.toThrow(
    "no bucket",
  );
});

test("what a killed process left half-written goes at the next start, what is being written stays", async () => {
  const root = mkdtempSync(join(tmpdir(), "blobs-"));
  await openBlobs(pathToFileURL(root));
  writeFileSync(join(root, "tmp", "old"), "");
  utimesSync(join(root, "tmp", "old"), 1, 1);
  writeFileSync(join(root, "tmp", "young"), "");
  await openBlobs(pathToFileURL(root));
  expect(readdirSync(join(root, "tmp"))).toEqual(["young"]);
  rmSync(root, { recursive: true });
});

test("a failed write leaves nothing behind and says so", async () => {
  const root = mkdtempSync(join(tmpdir(), "blobs-"));
  const blobs = await openBlobs(pathToFileURL(root));
  const owner = randomUUID();
  writeFileSync(join(root, owner), "a file where the folder must be");
  await expect(blobs.put(owner, Buffer.from("x"))).rejects.toThrow("ENOTDIR");
  expect(files(root)).toEqual([join(root, owner)]);
  rmSync(root, { recursive: true });
});

describe("a bucket's credentials", () => {
  const names = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_EC2_METADATA_DISABLED",
  ];
  const before = names.map((name) => [name, process.env[name]] as const);
  const set = (values: Record<string, string>) => {
    for (const name of names) delete process.env[name];
    Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: "true", ...values });
  };
  afterAll(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const bare = () => {
    const url = new URL(bucket);
    url.username = "";
    url.password = "";
    return url;
  };

  test("come from the environment where the address has none", async () => {
    set({ AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" });
    const blobs = await openBlobs(bare());
    await blobs.probe();
    const hash = await blobs.put(randomUUID(), Buffer.from("by the environment"));
    expect(stored(bucketFolder, hash).length).toBeGreaterThan(0);
  });

  test("that are wrong are told as the server tells them", async () => {
    set({ AWS_ACCESS_KEY_ID: "NOBODY", AWS_SECRET_ACCESS_KEY: "wrong" });
    await expect((await openBlobs(bare())).probe()).rejects.toThrow(
      /^S3 answered 403 to PUT: InvalidAccessKeyId/,
    );
  });

  test("that are missing are asked for by name", async () => {
    set({ AWS_PROFILE: "" });
    await expect((await openBlobs(bare())).probe()).rejects.toThrow(
      /^no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role/,
    );
  });
});

test("every blob is listed with its owner, and nothing else is", async () => {
  for (const where of [pathToFileURL(join(folder, "listed")), new URL(bucket)]) {
    const blobs = await openBlobs(where);
    const [owner, bytes] = [randomUUID(), Buffer.from(randomUUID())];
    const hash = await blobs.put(owner, bytes);
    await blobs.probe();
    const all: { owner: string; hash: Buffer; bytes: number }[] = [];
    for await (const blob of blobs.list()) all.push(blob);
    expect(all.filter((blob) => blob.owner === owner)).toMatchObject([{ hash, bytes: bytes.length }]);
    expect(all.every((blob) => /^[0-9a-f-]{36}$/.test(blob.owner))).toBe(true);
  }
});
