import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BlobStore, BlobsUnavailable, openBlobs } from "./blobs.ts";
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

const storedFiles = (root: string, hash: Buffer) =>
  files(root).filter((path) => path.includes(hash.toString("hex")));

describe.each([
  ["disk", () => pathToFileURL(folder), () => folder],
  ["S3", () => bucket, () => bucketFolder],
])("blobs on %s", (_, getLocation, root) => {
  let blobs: BlobStore;
  beforeAll(async () => {
    blobs = await openBlobs(getLocation());
  });

  test("can be read by the hash of their bytes", async () => {
    const [owner, bytes] = [randomUUID(), Buffer.from("<html>é\0</html>")];
    const hash = await blobs.put(owner, bytes);
    expect(hash).toEqual(createHash("sha256").update(bytes).digest());
    expect(Buffer.from(await blobs.get(owner, hash))).toEqual(bytes);
    expect(await blobs.has(owner, hash)).toBe(true);
  });

  test("are stored once per owner, and separately for each owner", async () => {
    const [owner, otherOwner, bytes] = [randomUUID(), randomUUID(), Buffer.from(randomUUID())];
    const hash = await blobs.put(owner, bytes);
    const fileCount = storedFiles(root(), hash).length;
    await Promise.all([blobs.put(owner, bytes), blobs.put(owner, bytes)]);
    expect(storedFiles(root(), hash)).toHaveLength(fileCount);
    await expect(blobs.get(otherOwner, hash)).rejects.toThrow("is missing");
  });

  test("that were altered are detected, and an incomplete one can be written again", async () => {
    const [owner, bytes] = [randomUUID(), Buffer.from(randomUUID())];
    const hash = await blobs.put(owner, bytes);
    for (const path of storedFiles(root(), hash))
      if (!path.endsWith(".json") && !path.endsWith(".md5")) writeFileSync(path, "other");
    await expect(blobs.get(owner, hash)).rejects.toThrow("is altered");
    expect(await blobs.has(owner, hash, bytes.length)).toBe(false);
    await blobs.put(owner, bytes);
    expect(Buffer.from(await blobs.get(owner, hash))).toEqual(bytes);
  });

  test("can be removed, and removing them again is no error", async () => {
    const owner = randomUUID();
    const hash = await blobs.put(owner, Buffer.from("gone"));
    await blobs.remove(owner, hash);
    await blobs.remove(owner, hash);
    expect(await blobs.has(owner, hash)).toBe(false);
    await expect(blobs.get(owner, hash)).rejects.toThrow("is missing");
  });

  test("of one owner can be removed together, without those of other owners", async () => {
    const [owner, otherOwner] = [randomUUID(), randomUUID()];
    const otherHash = await blobs.put(otherOwner, Buffer.from("kept"));
    const hashes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => blobs.put(owner, Buffer.from(`${i}`))),
    );
    await blobs.removeOwner(owner);
    await blobs.removeOwner(owner);
    for (const hash of hashes) expect(await blobs.has(owner, hash)).toBe(false);
    expect(await blobs.has(otherOwner, otherHash)).toBe(true);
  });

  test("refuse names that could leave their folder", async () => {
    await expect(blobs.put("../../etc", Buffer.from("x"))).rejects.toThrow("UUID");
    await expect(blobs.get(randomUUID(), Buffer.from("../x"))).rejects.toThrow("32 bytes");
  });

  test("can be probed, and are written to at most once a second for it", async () => {
    await expect(blobs.probe()).resolves.toBeUndefined();
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(60_000);
    const probes = Array.from({ length: 20 }, () => blobs.probe());
    vi.advanceTimersByTime(1_000);
    probes.push(blobs.probe());
    vi.useRealTimers();
    expect(new Set(probes).size).toBe(2);
    await Promise.all(probes);
  });
});

test("a store that doesn't answer is told apart from a lost blob, whatever is asked of it", async () => {
  const away = new URL(bucket);
  const { port, close } = await startS3(bucketFolder);
  away.searchParams.set("endpoint", `http://127.0.0.1:${port}`);
  const blobs = await openBlobs(away);
  await close();
  const [owner, hash] = [randomUUID(), Buffer.alloc(32)];
  for (const asked of [blobs.has(owner, hash), blobs.get(owner, hash), blobs.put(owner, Buffer.from("x"))])
    await expect(asked).rejects.toBeInstanceOf(BlobsUnavailable);
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

test("old temporary files of a killed process are removed at the next start, and recent ones stay", async () => {
  const root = mkdtempSync(join(tmpdir(), "blobs-"));
  await openBlobs(pathToFileURL(root));
  writeFileSync(join(root, "tmp", "old"), "");
  utimesSync(join(root, "tmp", "old"), 1, 1);
  writeFileSync(join(root, "tmp", "young"), "");
  await openBlobs(pathToFileURL(root));
  expect(readdirSync(join(root, "tmp"))).toEqual(["young"]);
  rmSync(root, { recursive: true });
});

test("a failed write throws an error and leaves no file behind", async () => {
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
  const originalValues = names.map((name) => [name, process.env[name]] as const);
  const setEnvironment = (values: Record<string, string>) => {
    for (const name of names) delete process.env[name];
    Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: "true", ...values });
  };
  afterAll(() => {
    for (const [name, value] of originalValues) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const bucketWithoutCredentials = () => {
    const url = new URL(bucket);
    url.username = "";
    url.password = "";
    return url;
  };

  test("come from the environment if the address has none", async () => {
    setEnvironment({ AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" });
    const blobs = await openBlobs(bucketWithoutCredentials());
    await blobs.probe();
    const hash = await blobs.put(randomUUID(), Buffer.from("by the environment"));
    expect(storedFiles(bucketFolder, hash).length).toBeGreaterThan(0);
  });

  test("that are wrong give the server's own error", async () => {
    setEnvironment({ AWS_ACCESS_KEY_ID: "NOBODY", AWS_SECRET_ACCESS_KEY: "wrong" });
    await expect((await openBlobs(bucketWithoutCredentials())).probe()).rejects.toThrow(
      /^S3 answered 403 to PUT: InvalidAccessKeyId/,
    );
  });

  test("that are missing give an error with the names of the variables to set", async () => {
    setEnvironment({ AWS_PROFILE: "" });
    await expect((await openBlobs(bucketWithoutCredentials())).probe()).rejects.toThrow(
      /^no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role/,
    );
  });
});

test("all blobs are listed with their owners, and nothing else is", async () => {
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
