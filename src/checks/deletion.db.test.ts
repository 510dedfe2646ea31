import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine, type TestEngine } from "./testing/engine.ts";
import { html, story } from "./testing/page.ts";

let engine: TestEngine;
beforeAll(async () => {
  // What is left in the whole queue and store is looked at.
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const queued = async () => {
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
    const remove = async () =>
      expect((await call("DELETE", "/api/me", { password: "correct1!" })).status).toBe(200);
    const { blobs } = app.jobs;
    const put = blobs.put.bind(blobs);
    let writes = 0;
    // The moment before the nth file is written: its row stands already.
    if (stage !== "capturing") {
      blobs.put = async (owner, bytes) => {
        if (owner === accountId && ++writes === stage) await remove();
        return put(owner, bytes);
      };
    }
    const release = stage === "capturing" ? site.pause() : undefined;
    await createJob();
    if (release) {
      await engine.waitFor("the capture", async () => site.requests.length > 0);
      await remove();
      release();
    }
    await engine.waitFor(
      "the end",
      async () => (stage === "capturing" || writes >= stage) && (await queued()) === 0,
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
