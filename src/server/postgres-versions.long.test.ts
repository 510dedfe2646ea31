import { sql } from "kysely";
import { expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { enqueueDue } from "#scheduling/enqueue-due.ts";
import { findSystemPostgres, startSystemPostgres } from "#storage/testing/system-postgres.ts";

// The older versions that this machine has; all other tests run on the embedded PostgreSQL.
const older = [15, 16, 17].flatMap((version) => {
  const binaries = findSystemPostgres(version);
  return binaries ? [{ version, binaries }] : [];
});

test.for(older)(
  "on PostgreSQL $version a change is found and alerted, and ids are sortable",
  async ({ binaries }) => {
    const postgres = await startSystemPostgres(binaries);
    const engine = await startTestEngine({ database: postgres.connectionString });
    try {
      engine.site.page.html = html(...story);
      const { createJob, execution, run, call, email } = await engine.person();
      const id = await createJob();
      await execution(id, 1);
      engine.site.page.html = html(...story, "A paragraph that was not there before.");
      expect(await run(id)).toMatchObject({ changed: true });
      const mail = await engine.mailTo(email);
      expect(mail.subject).toContain("Job 1");
      await sql`update schedules set next_run_at = now() - interval '1 second' where job_id = ${id}`.execute(
        engine.app.db,
      );
      expect(await enqueueDue(engine.app.jobs, 10, { from: null })).toBe(1);
      await execution(id, 3);
      const { body } = await call("GET", `/api/jobs/${id}/executions`);
      expect((body.executions as unknown as { index: number }[]).map(({ index }) => index)).toEqual([
        3, 2, 1,
      ]);
      const ids: string[] = [];
      for (let i = 0; i < 20; i++) {
        const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(engine.app.db);
        ids.push(rows[0]?.id ?? "");
      }
      expect(ids).toEqual([...ids].sort());
      expect(ids.every((uuid) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(uuid))).toBe(true);
    } finally {
      await engine.close();
      await postgres.stop();
    }
  },
);
