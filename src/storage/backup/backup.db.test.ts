import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { collectOrphans } from "#retention/collect-orphans.ts";
import { openBlobs } from "../blobs.ts";
import { addRefs, readBytes, storeBytes } from "../contents.ts";
import { openDatabase } from "../database.ts";
import { copyDatabase } from "../testing/copy-database.ts";
import { backUp, restore } from "./backup.ts";

const folder = await mkdtemp(join(tmpdir(), "watchglass-backup-"));
afterAll(() => rm(folder, { recursive: true }));

test("a backup of a running system restores every row and capture, and the restored system goes on", async () => {
  const first = await startTestEngine();
  first.site.page.html = html(...story);
  const { createJob, execution, run, email } = await first.person();
  const id = await createJob();
  await execution(id, 1);
  first.site.page.html = html(...story, "A paragraph that was not there before.");
  const changed = await run(id);
  await first.mailTo(email);
  await first.app.queue.send(first.app.db, "deliver", { deliveryId: randomUUID() }, { startAfter: 3600 });
  const progressLines: string[] = [];
  const { connectionString, jobs } = first.app;
  const manifest = await backUp(
    { connectionString, blobs: jobs.blobs, keyId: jobs.secrets.keyId },
    folder,
    (line) => void progressLines.push(line),
  );
  expect(progressLines.some((line) => /^executions: 2 rows$/.test(line))).toBe(true);
  expect(manifest.tables.find(({ name }) => name === "pgboss.job")?.rows).toBe(1);
  // A second backup into the same folder replaces the first one.
  await backUp({ connectionString, blobs: jobs.blobs, keyId: jobs.secrets.keyId }, folder, () => undefined);
  expect((await readdir(folder)).sort()).toEqual(["blobs", "manifest.json", "tables"]);
  // Secrets stay encrypted, and no key is in the backup.
  const texts = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith(".json"))
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  expect(texts.join()).not.toContain("fedcba9876543210");
  const laterUser = await first.person();
  await first.close();

  const copied = await copyDatabase();
  const second = await startTestEngine({ database: copied.connectionString });
  const problems = await restore(
    { connectionString: copied.connectionString, blobs: second.app.jobs.blobs },
    folder,
    () => undefined,
  );
  expect(problems).toEqual([]);
  const login = await second.call("POST", "/api/auth/login", { email, password: "correct1!" });
  const call = (method: string, url: string) =>
    second.call(method, url, undefined, { token: String(login.body.token) });
  const image = await call("GET", `/api/jobs/${id}/executions/${changed.id}/image`);
  expect([image.status, image.headers["content-type"]]).toEqual([200, "image/png"]);
  second.site.page.html = html(...story, "A paragraph that was not there before.", "And one more.");
  await call("POST", `/api/jobs/${id}/run`);
  const list = await second.waitFor("the third check", async () => {
    const { body } = await call("GET", `/api/jobs/${id}/executions`);
    const executions = body.executions as unknown as { index: number; changed: boolean }[];
    return executions.length === 3 && executions;
  });
  expect(list[0]).toMatchObject({ index: 3, changed: true });
  // An account that was created after the backup isn't in it.
  expect(
    (await second.call("POST", "/api/auth/login", { email: laterUser.email, password: "correct1!" })).status,
  ).toBe(401);
  await second.close();
  await copied.drop();
});

test("a backup is made of every state that faults leave behind, and of everything that isn't lost", async () => {
  const [from, to] = [await copyDatabase(), await copyDatabase()];
  const { db, close } = openDatabase(from.connectionString);
  const blobs = await openBlobs(pathToFileURL(join(folder, "faulty")));
  const addAccount = async () => {
    const id = randomUUID();
    await sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)
      values (${id}, ${id}, ${id}, 'A', 'B', '', '', ${randomBytes(32)})`.execute(db);
    return id;
  };
  const owner = await addAccount();
  const deletedOwner = await addAccount();
  const store = (bytes: string, near?: Buffer, as = owner, store = blobs) =>
    storeBytes({ db, blobs: store }, as, Buffer.from(bytes), near);
  const rowOf = async (hash: Buffer) => {
    const found = await sql<{ blob: Buffer; refs: number }>`
      select blob, refs from contents where hash = ${hash}`.execute(db);
    return found.rows[0];
  };
  const refuse = () => Promise.reject(new Error("the process was killed here"));
  const long = randomBytes(5000).toString("hex");

  // What is referred to and stored, as a keyframe and as a difference from it.
  const shown = await store(long);
  const difference = await store(`${long} and more`, shown);
  await addRefs(db, owner, [shown, difference], 1);
  // A process was killed, or the bucket was away, between a row and its file; also for a difference.
  await expect(store("never written", undefined, owner, { ...blobs, put: refuse })).rejects.toThrow("killed");
  await expect(store(`${long} or less`, shown, owner, { ...blobs, put: refuse })).rejects.toThrow("killed");
  // Nothing refers to it yet.
  await store("unreferenced");
  // The collection of unused contents was killed after it had removed the file and before it committed.
  const halfCollected = await store("half collected");
  await blobs.remove(owner, (await rowOf(halfCollected))?.blob as Buffer);
  // A file without a row.
  await blobs.put(owner, Buffer.from("of nobody"));
  // An account was deleted, and the removal of what it stored was killed halfway.
  const left = await store("left behind", undefined, deletedOwner);
  await addRefs(db, deletedOwner, [left], 1);
  await sql`delete from accounts where id = ${deletedOwner}`.execute(db);
  // An earlier backup into the same folder was killed.
  const target = join(folder, "of-faults");
  await mkdir(join(target, "tables.new"), { recursive: true });
  await writeFile(join(target, "tables.new", "accounts.ndjson.gz"), "half");
  await writeFile(join(target, "manifest.json.new"), "half");

  const source = { connectionString: from.connectionString, blobs, keyId: "" };
  const made = await backUp(source, target, () => undefined);
  expect(made).toMatchObject({ blobs: 4, lost: 0 });
  expect(made.tables.find(({ name }) => name === "contents")?.rows).toBe(7);
  const restored = await openBlobs(pathToFileURL(join(folder, "of-faults-restored")));
  const problems = await restore(
    { connectionString: to.connectionString, blobs: restored },
    target,
    () => undefined,
  );
  expect(problems).toEqual([]);
  const second = openDatabase(to.connectionString);
  const read = await readBytes({ db: second.db, blobs: restored }, owner, difference);
  expect(Buffer.from(read).toString()).toBe(`${long} and more`);
  await second.close();

  // The store's disk lost a file that the history shows: everything else is still backed up.
  const lost = await store("lost");
  await addRefs(db, owner, [lost], 1);
  await blobs.remove(owner, (await rowOf(lost))?.blob as Buffer);
  expect(await backUp(source, target, () => undefined)).toMatchObject({ blobs: 4, lost: 1 });
  await close();
  await Promise.all([from.drop(), to.drop()]);
});

test("a backup isn't written into a folder with other files", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const blobs = await openBlobs(pathToFileURL(join(folder, "other")));
  const work = backUp({ connectionString, blobs, keyId: "" }, import.meta.dirname, () => undefined);
  await expect(work).rejects.toThrow("holds other files");
  await copy.drop();
});

test("restoring an altered backup reports the altered table", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const blobs = await openBlobs(pathToFileURL(join(folder, "other")));
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as {
    tables: { name: string; digest: string }[];
  };
  for (const table of manifest.tables) if (table.name === "accounts") table.digest = "1";
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  const problems = await restore({ connectionString, blobs }, folder, () => undefined);
  expect(problems).toEqual(["accounts: its 1 rows are not the 1 that were backed up"]);
  await copy.drop();
});

test("orphaned blobs are found and removed only on request, and blobs that are in use or new stay", async () => {
  const engine = await startTestEngine();
  const { createJob, execution, accountId, call } = await engine.person();
  const id = await createJob();
  const { id: executionId } = await execution(id, 1);
  const { db, jobs } = engine.app;
  const old = await jobs.blobs.put(randomUUID(), Buffer.from("of nobody, old"));
  await jobs.blobs.put(accountId, Buffer.from("of nobody, new"));
  const blobFolder = join(engine.app.config.dataDir, "blobs");
  for (const entry of await readdir(blobFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // Makes all files look old, except the new one.
    if (entry.isFile() && (await readFile(path)).toString() !== "of nobody, new") await utimes(path, 0, 0);
  }
  const deps = { db, blobs: jobs.blobs };
  expect(await collectOrphans(deps, { dryRun: true })).toMatchObject({ orphans: 1, bytes: 14 });
  expect(await collectOrphans(deps, { dryRun: false })).toMatchObject({ orphans: 1 });
  const { seen, orphans } = await collectOrphans(deps, { dryRun: false });
  expect(orphans).toBe(0);
  expect(seen).toBeGreaterThan(3);
  expect(await jobs.blobs.has(accountId, old)).toBe(false);
  expect((await call("GET", `/api/jobs/${id}/executions/${executionId}/image`)).status).toBe(200);
  await engine.close();
});
