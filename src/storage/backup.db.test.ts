import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { backUp, restore } from "./backup.ts";
import { openBlobs } from "./blobs.ts";
import { collectOrphans } from "./collect-orphans.ts";
import { copyDatabase } from "./testing/copy-database.ts";

const folder = await mkdtemp(join(tmpdir(), "watchglass-backup-"));
afterAll(() => rm(folder, { recursive: true }));

test("a backup of a running system is restored into an empty one, equal in every row and capture, and goes on", async () => {
  const first = await startTestEngine();
  first.site.page.html = html(...story);
  const { createJob, execution, run, email } = await first.person();
  const id = await createJob();
  await execution(id, 1);
  first.site.page.html = html(...story, "A paragraph that was not there before.");
  const changed = await run(id);
  await first.mailTo(email);
  await first.app.queue.send(first.app.db, "deliver", { deliveryId: randomUUID() }, { startAfter: 3600 });
  const said: string[] = [];
  const { connectionString, jobs } = first.app;
  const manifest = await backUp(
    { connectionString, blobs: jobs.blobs, keyId: jobs.secrets.keyId },
    folder,
    (line) => void said.push(line),
  );
  expect(said.some((line) => /^executions: 2 rows$/.test(line))).toBe(true);
  expect(manifest.tables.find(({ name }) => name === "pgboss.job")?.rows).toBe(1);
  // Again into the same place: what was there is replaced by what is whole.
  await backUp({ connectionString, blobs: jobs.blobs, keyId: jobs.secrets.keyId }, folder, () => undefined);
  expect((await readdir(folder)).sort()).toEqual(["blobs", "manifest.json", "tables"]);
  // What is secret stays sealed, and no key is there.
  const texts = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith(".json"))
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  expect(texts.join()).not.toContain("fedcba9876543210");
  const wanted = await first.person();
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
  // Whoever came after the backup is not in it.
  expect(
    (await second.call("POST", "/api/auth/login", { email: wanted.email, password: "correct1!" })).status,
  ).toBe(401);
  await second.close();
  await copied.drop();
});

test("a backup is not written among other files", async () => {
  const copy = await copyDatabase();
  const { connectionString } = copy;
  const blobs = await openBlobs(pathToFileURL(join(folder, "other")));
  const work = backUp({ connectionString, blobs, keyId: "" }, import.meta.dirname, () => undefined);
  await expect(work).rejects.toThrow("holds other files");
  await copy.drop();
});

test("a backup that was altered is noticed", async () => {
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

test("orphans are found, removed only when asked to, and never what is in use or new", async () => {
  const engine = await startTestEngine();
  const { createJob, execution, accountId, call } = await engine.person();
  const id = await createJob();
  const { id: executionId } = await execution(id, 1);
  const { db, jobs } = engine.app;
  const old = await jobs.blobs.put(randomUUID(), Buffer.from("of nobody, old"));
  await jobs.blobs.put(accountId, Buffer.from("of nobody, new"));
  const place = join(engine.app.config.dataDir, "blobs");
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // All but the one that is new.
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
