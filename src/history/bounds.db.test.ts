import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTestEngine, type TestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

let engine: TestEngine;
beforeAll(async () => {
  // The largest verdict of all is looked for, so there may be no others.
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const mass = (word: string) => html(`${word} `.repeat(40_000));
const small = 100_000;

test("pages that differ in all of their text give verdicts, comparisons and shares of bounded size, which count as stored", async () => {
  const { createJob, execution, run, call, accountId } = await engine.person();
  const stored = async () => {
    const { rows } = await sql<{ bytes: number; verdict: number | null }>`
      select stored_bytes as bytes, (select max(octet_length(verdict::text)) from verdicts) as verdict
      from account_usage where account_id = ${accountId}`.execute(engine.app.db);
    return rows[0];
  };
  engine.site.page.html = mass("one");
  const id = await createJob();
  const first = await execution(id, 1);
  engine.site.page.html = mass("two");
  const second = await run(id);
  engine.site.page.html = mass("three");
  const third = await run(id);
  expect(third).toMatchObject({ changed: true, error: null });
  expect((await stored())?.verdict).toBeLessThan(small);
  const ask = (from: string, to: string) => call("GET", `/api/jobs/${id}/compare?from=${from}&to=${to}`);
  const detail = await call("GET", `/api/jobs/${id}/executions/${third.id}`);
  for (const answer of [detail, await ask(second.id, third.id), await ask(first.id, third.id)]) {
    expect(answer.status).toBe(200);
    expect(answer.raw.length).toBeLessThan(small);
  }
  const shared = await call("POST", `/api/jobs/${id}/share`, { executionId: third.id, fromId: first.id });
  const share = await engine.call("GET", `/api/share/${String(shared.body.token)}`);
  expect([share.status, share.raw.length < small]).toEqual([200, true]);

  const before = (await stored())?.bytes ?? 0;
  const { rows } = await sql<{ bytes: number }>`select sum(bytes)::int as bytes from verdicts`.execute(
    engine.app.db,
  );
  expect(before).toBeGreaterThan(rows[0]?.bytes ?? Infinity);
  await call("DELETE", `/api/jobs/${id}`);
  const left = () => sql`select from verdicts`.execute(engine.app.db);
  await expect.poll(async () => (await left()).rows.length).toBe(0);
  expect((await stored())?.bytes).toBeLessThanOrEqual(before - (rows[0]?.bytes ?? 0));
});

test("a comparison that is opened again is not made anew, unless its rules are others; nobody else has it", async () => {
  const { createJob, execution, run, call, accountId } = await engine.person();
  const stranger = await engine.person();
  engine.site.page.html = html(...story);
  const id = await createJob();
  const first = await execution(id, 1);
  await run(id);
  engine.site.page.html = html(...story, "A sentence that was not there.");
  const last = await run(id);
  const { detector } = engine.app.jobs;
  const own = detector.for(accountId);
  const comparing = vi.spyOn(own, "compare");
  const sharing = vi.spyOn(detector, "for").mockReturnValue(own);
  onTestFinished(() => sharing.mockRestore());
  const path = `/api/jobs/${id}/compare?from=${first.id}&to=${last.id}`;
  const answers = [await call("GET", path), await call("GET", path)];
  expect(answers[0]?.body.hunks).not.toEqual([]);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(comparing).toHaveBeenCalledTimes(1);
  expect((await stranger.call("GET", path)).status).toBe(404);
  await call("PATCH", `/api/jobs/${id}`, { ignore: ["A sentence that was not there."] });
  expect((await call("GET", path)).body.reasons).toEqual([]);
  expect(comparing).toHaveBeenCalledTimes(2);
});

test("one account has two comparisons under way and a hundred links; a caller that goes ends its own", async () => {
  const { createJob, execution, run, call, accountId } = await engine.person();
  engine.site.page.html = html("One");
  const id = await createJob();
  const first = await execution(id, 1);
  await run(id);
  const last = await run(id);
  const ask = () => call("GET", `/api/jobs/${id}/compare?from=${first.id}&to=${last.id}`);
  const statuses = (await Promise.all(Array.from({ length: 5 }, ask))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await ask()).status).toBe(200);

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

  const gone = new AbortController();
  const compared = engine.app.jobs.detector.for(accountId).compare({} as never, gone.signal);
  gone.abort();
  await expect(compared).rejects.toThrow(/abort/i);
});
