import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine, type TestEngine } from "./testing/engine.ts";
import { html, story } from "./testing/page.ts";

let engine: TestEngine;
beforeAll(async () => {
  // Its own engine, because the test inspects the whole queue and store.
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const countQueuedTasks = async () => {
  const { rows } = await sql<{ name: string }>`
    select name from pgboss.job where name in ('execute', 'forget') and state in ('created', 'active', 'retry')
  `.execute(engine.app.db);
  return rows.length;
};

test.for(["capturing", 1, 3] as const)(
  "D3 an account deleted in the middle of a check (%s) leaves no row and no file",
  async (stage) => {
    const { app, site } = engine;
    site.page.html = html(...story, `Words of ${stage}`);
    const { call, createJob, accountId } = await engine.person();
    const deleteAccount = async () =>
      expect((await call("DELETE", "/api/me", { password: "correct1!" })).status).toBe(200);
    const { blobs } = app.jobs;
    const put = blobs.put.bind(blobs);
    let writes = 0;
    // Deletes the account just before the nth file is written, when the file's row already exists.
    if (stage !== "capturing") {
      blobs.put = async (owner, bytes) => {
        if (owner === accountId && ++writes === stage) await deleteAccount();
        return put(owner, bytes);
      };
    }
    const release = stage === "capturing" ? site.pause() : undefined;
    await createJob();
    if (release) {
      await engine.waitFor("the capture", async () => site.requests.length > 0);
      await deleteAccount();
      release();
    }
    await engine.waitFor(
      "the end",
      async () => (stage === "capturing" || writes >= stage) && (await countQueuedTasks()) === 0,
    );
    blobs.put = put;
    const folder = join(app.config.dataDir, "blobs", accountId);
    const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    expect(files.filter((file) => file.isFile())).toEqual([]);
    for (const table of ["contents", "executions", "jobs", "account_usage"] as const) {
      const rows = await app.db
        .selectFrom(table)
        .select("account_id")
        .where("account_id", "=", accountId)
        .execute();
      expect([table, rows]).toEqual([table, []]);
    }
  },
);
