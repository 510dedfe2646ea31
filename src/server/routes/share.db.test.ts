import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { lockAccount } from "#storage/accounts.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;

const secret = "tok-6f1e9a55c2";
const jobSettings = {
  headers: [{ name: "X-Session", value: secret }],
  url: "http://127.0.0.1:8080/page?key=owners-key",
};

/** A job with a change of text and headers, and the executions before and after it. */
async function changedJob(person: Person) {
  Object.assign(engine.site.page, {
    html: html(...story),
    headers: [["x-frame-options", "DENY"]],
    shade: 200,
  });
  const jobId = await person.createJob({ name: "Private name of the job", ...jobSettings });
  const first = await person.execution(jobId, 1);
  Object.assign(engine.site.page, { html: html(...story, "A whole new paragraph."), headers: [], shade: 20 });
  const second = await person.run(jobId);
  return { jobId, first, second };
}

async function share(person: Person, jobId: string, body: object) {
  const answer = await person.call("POST", `/api/jobs/${jobId}/share`, body);
  expect(answer.status).toBe(200);
  return answer.body as unknown as { id: string; token: string; url: string; expiresAt: string };
}

test("V6 a link shows one comparison to anyone and nothing about its owner", async () => {
  const person = await engine.person();
  const { jobId, second } = await changedJob(person);
  const link = await share(person, jobId, { executionId: second.id });
  expect(link.url).toMatch(/\/share\/[\w-]{32}$/);
  expect(Buffer.from(link.token, "base64url").length * 8).toBeGreaterThanOrEqual(128);
  const days = (Date.parse(link.expiresAt) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);

  const shown = await engine.call("GET", `/api/share/${link.token}`);
  expect(shown.status).toBe(200);
  expect(shown.headers["x-robots-tag"]).toBe("noindex, nofollow");
  expect(shown.body).toMatchObject({
    page: "http://127.0.0.1:8080/page",
    before: { status_code: 200, hasImage: true },
    after: { status_code: 200, hasImage: true },
    comparison: { changed: true },
  });
  // An imported capture must not look like one that this server made.
  const imported = { at: "2026-03-04T05:06:07.000Z", archive: "a".repeat(64), origin: null };
  await sql`update executions set imported = ${JSON.stringify(imported)} where job_id = ${jobId} and number = 1`.execute(
    engine.app.db,
  );
  expect((await engine.call("GET", `/api/share/${link.token}`)).body).toMatchObject({
    before: { importedAt: imported.at },
    after: { importedAt: null },
  });
  const text = JSON.stringify(shown.body);
  const me = await person.call("GET", "/api/me");
  for (const hidden of [
    secret,
    "owners-key",
    "x-frame-options",
    "Private name",
    jobId,
    second.id,
    person.accountId,
    String(me.body.email),
  ]) {
    expect(text).not.toContain(hidden);
  }
});

test("V1 V2 V6 a link's parts are plain text and our own image, and shared caches never store them", async () => {
  const person = await engine.person();
  const { jobId, second } = await changedJob(person);
  const { token } = await share(person, jobId, { executionId: second.id, days: 1 });
  const page = await engine.call("GET", `/api/share/${token}/after/html`);
  expect(page.headers).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-cache",
    "x-robots-tag": "noindex, nofollow",
  });
  expect(page.raw.toString()).toContain("A whole new paragraph.");
  const before = await engine.call("GET", `/api/share/${token}/before/html`);
  expect(before.raw.toString()).not.toContain("A whole new paragraph.");
  const image = await engine.call("GET", `/api/share/${token}/after/image`);
  expect(image.headers["content-type"]).toBe("image/png");
  expect(image.raw.subarray(1, 4).toString()).toBe("PNG");
  const again = await engine.call("GET", `/api/share/${token}/after/image`, undefined, {
    headers: { "if-none-match": String(image.headers.etag) },
  });
  expect(again.status).toBe(304);
  expect((await engine.call("GET", `/api/share/${token}/sideways/image`)).status).toBe(404);
});

test("V6 unknown, expired and revoked links, and their parts, get the same answer at once", async () => {
  const person = await engine.person();
  const { jobId, second } = await changedJob(person);
  const expired = await share(person, jobId, { executionId: second.id, days: 1 });
  const revoked = await share(person, jobId, { executionId: second.id, days: 1 });
  expect((await person.call("DELETE", `/api/share/${revoked.token}`)).status).toBe(200);
  // Making another link removes expired ones, so this one expires last.
  await engine.app.db
    .updateTable("shares")
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where("id", "=", expired.id)
    .execute();
  const unknown = "A".repeat(32);
  for (const part of ["", "/after/image", "/before/html"]) {
    const answers = await Promise.all(
      [unknown, expired.token, revoked.token].map((token) =>
        engine.call("GET", `/api/share/${token}${part}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ raw }) => raw.toString())).size).toBe(1);
  }
});

test("the token is stored only as its hash", async () => {
  const person = await engine.person();
  const { jobId, second } = await changedJob(person);
  const { id, token } = await share(person, jobId, { executionId: second.id, days: 30 });
  const row = await engine.app.db
    .selectFrom("shares")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row.token_hash).toEqual(createHash("sha256").update(token).digest());
  expect(JSON.stringify(row)).not.toContain(token);
  expect(engine.log.join("\n")).not.toContain(token);
});

test("the owner can list all links and revoke them by id", async () => {
  const person = await engine.person();
  const { jobId, first, second } = await changedJob(person);
  const link = await share(person, jobId, { executionId: second.id, fromId: first.id, days: 30 });
  const list = await person.call("GET", "/api/share");
  expect(list.body.shares).toMatchObject([
    {
      id: link.id,
      jobId,
      jobName: "Private name of the job",
      index: 2,
      fromIndex: 1,
      executionId: second.id,
    },
  ]);
  expect(JSON.stringify(list.body)).not.toContain(link.token);
  expect((await person.call("DELETE", `/api/share/${link.id}`)).status).toBe(200);
  expect((await person.call("GET", "/api/share")).body.shares).toEqual([]);
  expect((await engine.call("GET", `/api/share/${link.token}`)).status).toBe(404);
});

test("Z2 another account can't list, create or revoke a link", async () => {
  const [owner, other] = [await engine.person(), await engine.person()];
  const { jobId, second } = await changedJob(owner);
  const link = await share(owner, jobId, { executionId: second.id, days: 7 });
  expect((await other.call("GET", "/api/share")).body.shares).toEqual([]);
  for (const name of [link.token, link.id]) {
    expect((await other.call("DELETE", `/api/share/${name}`)).status).toBe(404);
  }
  const body = { executionId: second.id, days: 7 };
  expect((await other.call("POST", `/api/jobs/${jobId}/share`, body)).status).toBe(404);
  const own = await other.createJob();
  await other.execution(own, 1);
  expect((await other.call("POST", `/api/jobs/${own}/share`, body)).status).toBe(404);
  expect((await engine.call("GET", `/api/share/${link.token}`)).status).toBe(200);
});

test("D3 deleting a job ends its links at once", async () => {
  const person = await engine.person();
  const { jobId, second } = await changedJob(person);
  const { token } = await share(person, jobId, { executionId: second.id, days: 7 });
  await person.call("DELETE", `/api/jobs/${jobId}`);
  expect((await engine.call("GET", `/api/share/${token}`)).status).toBe(404);
});

test("D3 a job whose deletion can still be undone has no links, and has them again when it is restored", async () => {
  const person = await engine.person();
  const { jobId, second } = await changedJob(person);
  const { token } = await share(person, jobId, { executionId: second.id });
  const deleted = await person.call("POST", "/api/bulk-actions", { jobIds: [jobId], action: "delete" });
  const undo = deleted.body.undo as unknown as { id: string };
  for (const part of ["", "/after/image", "/after/html"])
    expect((await engine.call("GET", `/api/share/${token}${part}`)).status).toBe(404);
  expect((await person.call("POST", `/api/bulk-actions/${undo.id}/undo`)).status).toBe(200);
  expect((await engine.call("GET", `/api/share/${token}`)).status).toBe(200);
});

test.each([{ days: 2 }, { days: "forever" }, { days: 7, executionId: "x" }])(
  "creating a link with %j is refused",
  async (invalidInput) => {
    const person = await engine.person();
    const { jobId, second } = await changedJob(person);
    const answer = await person.call("POST", `/api/jobs/${jobId}/share`, {
      executionId: second.id,
      ...invalidInput,
    });
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_INPUT"]);
  },
);

test("Z4 of links that are created at the same time, no more than a hundred are made", async () => {
  const person = await engine.person();
  const { jobId, second } = await changedJob(person);
  const [first] = [await share(person, jobId, { executionId: second.id, days: 1 })];
  await sql`insert into shares (account_id, job_id, after_id, token_hash, expires_at)
    select account_id, job_id, after_id, sha256(n::text::bytea || token_hash), expires_at
    from shares, generate_series(1, 98) n where id = ${first.id}`.execute(engine.app.db);
  // While the account is locked, no call gets further than to where it needs the account.
  const { db } = engine.app;
  const requested = await db.transaction().execute(async (tx) => {
    await lockAccount(tx, person.accountId);
    const calls = Array.from({ length: 6 }, () =>
      person.call("POST", `/api/jobs/${jobId}/share`, { executionId: second.id, days: 1 }),
    );
    await engine.waitFor("all calls to need the account", async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'`.execute(db);
      return (rows[0]?.waiting ?? 0) >= calls.length;
    });
    return { calls };
  });
  const answers = await Promise.all(requested.calls);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409, 409, 409,
  ]);
  expect(((await person.call("GET", "/api/share")).body.shares as unknown as unknown[]).length).toBe(100);
});

test("a failed check can't be shared", async () => {
  const person = await engine.person();
  const { jobId } = await changedJob(person);
  engine.site.page.failure = { kind: "dns", message: "The name was not found." };
  const failed = await person.run(jobId);
  engine.site.page.failure = null;
  const answer = await person.call("POST", `/api/jobs/${jobId}/share`, { executionId: failed.id, days: 1 });
  expect([answer.status, answer.body.code]).toEqual([409, "CONFLICT"]);
});
