import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTestEngine, type TestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

let engine: TestEngine;
beforeAll(async () => {
  // Its own engine, because the test reads the largest verdict in the whole database.
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const largePage = (word: string) => html(`${word} `.repeat(40_000));
const maxLength = 100_000;

test("verdicts, comparisons and shares of entirely different pages stay small and count as storage", async () => {
  const { createJob, execution, run, call, accountId } = await engine.person();
  const readStorage = async () => {
    const { rows } = await sql<{ bytes: number; verdict: number | null }>`
      select stored_bytes as bytes, (select max(octet_length(verdict::text)) from verdicts) as verdict
      from account_usage where account_id = ${accountId}`.execute(engine.app.db);
    return rows[0];
  };
  engine.site.page.html = largePage("one");
  const id = await createJob();
  const first = await execution(id, 1);
  engine.site.page.html = largePage("two");
  const second = await run(id);
  engine.site.page.html = largePage("three");
  const third = await run(id);
  expect(third).toMatchObject({ changed: true, error: null });
  expect((await readStorage())?.verdict).toBeLessThan(maxLength);
  const compare = (from: string, to: string) => call("GET", `/api/jobs/${id}/compare?from=${from}&to=${to}`);
  const detail = await call("GET", `/api/jobs/${id}/executions/${third.id}`);
  for (const answer of [detail, await compare(second.id, third.id), await compare(first.id, third.id)]) {
    expect(answer.status).toBe(200);
    expect(answer.raw.length).toBeLessThan(maxLength);
  }
  const shared = await call("POST", `/api/jobs/${id}/share`, { executionId: third.id, fromId: first.id });
  const share = await engine.call("GET", `/api/share/${String(shared.body.token)}`);
  expect([share.status, share.raw.length < maxLength]).toEqual([200, true]);

  const bytesBefore = (await readStorage())?.bytes ?? 0;
  const { rows } = await sql<{ bytes: number }>`select sum(bytes)::int as bytes from verdicts`.execute(
    engine.app.db,
  );
  expect(bytesBefore).toBeGreaterThan(rows[0]?.bytes ?? Infinity);
  await call("DELETE", `/api/jobs/${id}`);
  const readVerdicts = () => sql`select from verdicts`.execute(engine.app.db);
  await expect.poll(async () => (await readVerdicts()).rows.length).toBe(0);
  expect((await readStorage())?.bytes).toBeLessThanOrEqual(bytesBefore - (rows[0]?.bytes ?? 0));
});

test("a comparison is computed again only if the job's rules changed, and other accounts can't read it", async () => {
  const { createJob, execution, run, call, accountId } = await engine.person();
  const otherUser = await engine.person();
  engine.site.page.html = html(...story);
  const id = await createJob();
  const first = await execution(id, 1);
  await run(id);
  engine.site.page.html = html(...story, "A sentence that was not there.");
  const last = await run(id);
  const { detector } = engine.app.jobs;
  const accountDetector = detector.for(accountId);
  const compareSpy = vi.spyOn(accountDetector, "compare");
  const detectorSpy = vi.spyOn(detector, "for").mockReturnValue(accountDetector);
  onTestFinished(() => detectorSpy.mockRestore());
  const path = `/api/jobs/${id}/compare?from=${first.id}&to=${last.id}`;
  const answers = [await call("GET", path), await call("GET", path)];
  expect(answers[0]?.body.hunks).not.toEqual([]);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(compareSpy).toHaveBeenCalledTimes(1);
  expect((await otherUser.call("GET", path)).status).toBe(404);
  await call("PATCH", `/api/jobs/${id}`, { ignore: ["A sentence that was not there."] });
  expect((await call("GET", path)).body.reasons).toEqual([]);
  expect(compareSpy).toHaveBeenCalledTimes(2);
});

test("an account has at most two running comparisons and 100 links, and an aborted comparison ends", async () => {
  const { createJob, execution, run, call, accountId } = await engine.person();
  engine.site.page.html = html("One");
  const id = await createJob();
  const first = await execution(id, 1);
  await run(id);
  const last = await run(id);
  const compare = () => call("GET", `/api/jobs/${id}/compare?from=${first.id}&to=${last.id}`);
  const statuses = (await Promise.all(Array.from({ length: 5 }, compare))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await compare()).status).toBe(200);

  const share = () => call("POST", `/api/jobs/${id}/share`, { executionId: last.id });
  expect((await share()).status).toBe(200);
  await sql`
    insert into shares (account_id, job_id, after_id, token_hash, expires_at)
    select ${accountId}, ${id}, ${last.id}, sha256(n::text::bytea), now() + interval '1 day' from generate_series(1, 99) n
  `.execute(engine.app.db);
  expect((await share()).body).toMatchObject({
    code: "CONFLICT",
    message: expect.stringMatching(/^You have 100 links/),
  });

  const abortController = new AbortController();
  const comparison = engine.app.jobs.detector.for(accountId).compare({} as never, abortController.signal);
  abortController.abort();
  await expect(comparison).rejects.toThrow(/abort/i);
});
