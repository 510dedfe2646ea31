import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wallAdvice, wallKinds } from "#contract/wall.ts";
import { makeDue } from "#queue/testing/make-due.ts";
import { type SharedEngine, sharedEngine, startTestEngine } from "./testing/engine.ts";
import { html, story } from "./testing/page.ts";

const isLong = process.env.TEST_SIZE === "long";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

/** Moves the beginning of a job's outage to a day ago. */
const waitADay = (id: string) =>
  sql`update jobs set trouble = trouble || jsonb_build_object('since', now() - interval '25 hours') where id = ${id}`.execute(
    engine.app.db,
  );

const reset = () =>
  Object.assign(engine.site.page, {
    html: html(...story),
    status: 200,
    headers: [],
    truncated: false,
    failure: null,
  });
const down = {
  kind: "refused",
  message: "The server refused or dropped the connection.",
} as const;

describe("one execution", () => {
  test("a new job is captured at once with a confirmation, and its first capture becomes the baseline", async () => {
    reset();
    const { createJob, execution, logsOf, call } = await engine.person();
    const requestsBefore = engine.site.requests.length;
    const id = await createJob();
    const first = await execution(id, 1);
    expect(first).toMatchObject({
      summary: "First capture",
      changed: false,
      index: 1,
      status_code: 200,
      attempts: 1,
    });
    expect(engine.site.requests.length - requestsBefore).toBe(2);
    expect(await logsOf(id)).toEqual([
      "[info] First capture: later ones are compared with it",
      "[info] Captured in 1.3 s, status 200, 0 scripts loaded",
    ]);
    const job = await call("GET", `/api/jobs/${id}`);
    expect(job.body).toMatchObject({ activity: "idle", status: "ACTIVE", executionsTotal: 1 });
  });

  test("an unchanged page is no change, and a confirmed change has a verdict, a notification and a task", async () => {
    reset();
    const { createJob, execution, run, call, accountId } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    expect(await run(id)).toMatchObject({ summary: "No change", changed: false, similarity: 100 });
    engine.site.page.html = html(...story, "A whole new paragraph about the price of glass.");
    const changed = await run(id);
    expect(changed).toMatchObject({ changed: true });
    expect(changed.summary).not.toBe("No change");
    const detail = await call("GET", `/api/jobs/${id}/executions/${changed.id}`);
    expect(detail.body).toMatchObject({
      verdict: { changed: true, summary: changed.summary },
      triggerRuns: [],
      stages: Object.fromEntries(
        ["wait", "capture", "confirm", "compare", "store", "deliver"].map((name) => [
          name,
          expect.any(Number),
        ]),
      ),
    });
    const metrics = await engine.app.metrics.registry.metrics();
    expect(metrics).toMatch(/watchglass_check_stage_seconds_sum\{stage="compare"\} [\d.]+/);
    expect(metrics).toMatch(/watchglass_checks_total\{result="changed",way="browser"\} [1-9]/);
    const feed = await call("GET", "/api/notifications");
    expect(feed.body).toMatchObject({
      unread: 1,
      notifications: [
        { kind: "change", jobId: id, executionId: changed.id, message: changed.summary, read: false },
      ],
    });
    const { rows } = await queryTasks("announce", accountId);
    expect(rows).toHaveLength(1);
    expect(await run(id)).toMatchObject({ summary: "No change" });
  });

  test("a difference that the confirmation doesn't see is a flicker, not a change", async () => {
    reset();
    const { createJob, execution, run, logsOf } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.next.push({ html: html(...story, "Only for a moment this stands here.") });
    expect(await run(id)).toMatchObject({ changed: false, summary: "No change" });
    expect((await logsOf(id))[0]).toMatch(/^\[warn\] Not confirmed: a second capture no longer showed it: /);
  });

  test("a change of status needs no confirmation", async () => {
    reset();
    const { createJob, execution, run } = await engine.person();
    engine.site.page.status = 404;
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.status = 200;
    const requestsBefore = engine.site.requests.length;
    expect(await run(id)).toMatchObject({ changed: true, status_code: 200, summary: "Status 404 → 200" });
    expect(engine.site.requests.length - requestsBefore).toBe(1);
  });

  test("R9 a failed capture is recorded with its reason, not as change or baseline; recovery is notified", async () => {
    reset();
    const { createJob, execution, run, logsOf, call } = await engine.person();
    const id = await createJob();
    const first = await execution(id, 1);
    engine.site.page.failure = down;
    expect(await run(id)).toMatchObject({
      changed: false,
      error: down.message,
      status_code: null,
      hasImage: false,
    });
    engine.site.page.failure = null;
    const back = await run(id);
    expect(back).toMatchObject({ changed: false, error: null });
    const detail = await call("GET", `/api/jobs/${id}/executions/${back.id}`);
    expect(detail.body.baselineId).toBe(first.id);
    expect(await logsOf(id)).toContain("[info] The page is reachable again after a failure");
    const feed = await call("GET", "/api/notifications");
    expect(feed.body).toMatchObject({ notifications: [{ kind: "recovered", jobId: id }] });
  });

  // error-status.test.ts judges and names the others, which go the same way.
  const moreErrors: [status: number, explanation: string][] = [
    [500, "The server answered 500 Internal Server Error."],
    [403, "The server answered 403 Forbidden."],
    [599, "The server answered 599."],
  ];
  test.each<[status: number, explanation: string]>([
    [503, "The server answered 503 Service Unavailable."],
    [404, "The server answered 404 Not Found."],
    ...(isLong ? moreErrors : []),
  ])(
    "R9 status %i after a good page is a failed check, notified at the second failure, and never content",
    async (status, explanation) => {
      reset();
      const { createJob, execution, run, call } = await engine.person();
      const id = await createJob({
        lookup: { strings: ["part a0"], when: "disappears" },
        alertIf: { match: "any", conditions: [{ what: "text", is: "removed", text: "part a0" }] },
      });
      const first = await execution(id, 1);
      Object.assign(engine.site.page, { status, html: html("Something broke.") });
      const kinds = async () => {
        const { body } = await call("GET", "/api/notifications");
        return (body.notifications as unknown as { kind: string; message: string }[]).toReversed();
      };
      const failed = {
        changed: false,
        error: explanation,
        summary: explanation,
        status_code: status,
        hasImage: true,
      };
      expect(await run(id)).toMatchObject(failed);
      expect(await kinds()).toEqual([]);
      expect((await call("GET", "/api/analytics/resume")).body).toMatchObject({
        failing_jobs: [{ error: explanation }],
      });
      expect(await run(id)).toMatchObject(failed);
      expect(await run(id)).toMatchObject(failed);
      const failing = { kind: "failing", message: `Check failed at 2 checks in a row: ${explanation}` };
      expect(await kinds()).toMatchObject([failing]);
      reset();
      const back = await run(id);
      expect(back).toMatchObject({ changed: false, error: null, summary: "No change" });
      expect((await call("GET", `/api/jobs/${id}/executions/${back.id}`)).body.baselineId).toBe(first.id);
      const recovered = { kind: "recovered", message: "The page is reachable again after 3 failures." };
      expect(await kinds()).toMatchObject([failing, recovered]);
      engine.site.page.html = html(...story.slice(1));
      expect(await run(id)).toMatchObject({ changed: true, error: null });
    },
  );

  test("R9 a single error page between two good ones isn't notified, and a change made meanwhile is", async () => {
    reset();
    const { createJob, execution, run, call } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.status = 502;
    await run(id);
    reset();
    engine.site.page.html = html(...story, "It came while the server was away.");
    expect(await run(id)).toMatchObject({
      changed: true,
      summary: "“It came while the server was away.” added",
    });
    const { body } = await call("GET", "/api/notifications");
    expect(body.notifications).toMatchObject([{ kind: "change" }]);
  });

  test("R9 a job that starts with a server error shows it, and its first good page is the first capture", async () => {
    reset();
    engine.site.page.status = 503;
    const { createJob, execution, run } = await engine.person();
    const id = await createJob({ tellFailures: { down: 1, gone: 1 } });
    expect(await execution(id, 1)).toMatchObject({
      changed: false,
      summary: "The server answered 503 Service Unavailable.",
    });
    reset();
    expect(await run(id)).toMatchObject({ changed: false, error: null, summary: "First capture" });
  });

  test("R9 an error page at the confirmation doesn't confirm a change", async () => {
    reset();
    const { createJob, execution, run, logsOf } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.html = html(...story, "One more paragraph.");
    engine.site.next.push({}, { status: 500, html: html("Something broke.") });
    expect(await run(id)).toMatchObject({ changed: false, error: null });
    expect((await logsOf(id))[0]).toContain("could not be confirmed (The server answered 500");
    expect(await run(id)).toMatchObject({ changed: true, summary: "“One more paragraph.” added" });
  });

  test("a job that starts with a client error compares such pages and alerts when the status changes", async () => {
    reset();
    Object.assign(engine.site.page, { status: 400, html: html("No such parameter.") });
    const { createJob, execution, run } = await engine.person();
    const id = await createJob();
    expect(await execution(id, 1)).toMatchObject({
      summary: "First capture. The server answered 400 Bad Request.",
      status_code: 400,
    });
    const show = (status: number, ...text: string[]) =>
      Object.assign(engine.site.page, { status, html: html(...text) });
    expect(await run(id)).toMatchObject({ changed: false, error: null });
    show(400, "No such parameter.", "Try the parameter id.");
    expect(await run(id)).toMatchObject({ changed: true, error: null });
    show(503, "Something broke.");
    expect(await run(id)).toMatchObject({ changed: false, status_code: 503 });
    show(200, ...story);
    expect((await run(id)).summary).toMatch(/^Status 400 → 200/);
    show(400, "No such parameter.");
    expect(await run(id)).toMatchObject({ changed: true, error: null, summary: "Status 200 → 400" });
    expect(await run(id)).toMatchObject({ changed: false, error: null, summary: "No change" });
    show(200, ...story);
    expect(await run(id)).toMatchObject({ changed: true, error: null, summary: "Status 400 → 200" });
    expect(await run(id)).toMatchObject({ changed: false, summary: "No change" });
  });

  test("a status named in a condition is alerted immediately and once; its page meets no other condition", async () => {
    reset();
    const { createJob, execution, run, call } = await engine.person();
    const conditions = [{ what: "text", is: "removed", text: "part a0" }];
    const [anyConditionJob, allConditionsJob] = await Promise.all([
      createJob({ alertIf: { match: "any", conditions: [...conditions, { what: "status", is: "5xx" }] } }),
      createJob({ alertIf: { match: "all", conditions: [...conditions, { what: "status", is: "5xx" }] } }),
    ]);
    const first = await execution(anyConditionJob, 1);
    await execution(allConditionsJob, 1);
    Object.assign(engine.site.page, { status: 503, html: html("Something broke.") });
    expect(await run(anyConditionJob)).toMatchObject({
      changed: true,
      error: null,
      summary: "Status 200 → 503",
    });
    expect(await run(anyConditionJob)).toMatchObject({ changed: false, error: null, summary: "No change" });
    expect(await run(allConditionsJob)).toMatchObject({
      changed: true,
      untold: "the server answered 503, which says nothing about the content",
    });
    reset();
    const back = await run(anyConditionJob);
    expect(back).toMatchObject({ changed: true, untold: expect.stringContaining("status is 200") });
    expect((await call("GET", `/api/jobs/${anyConditionJob}/executions/${back.id}`)).body.baselineId).toBe(
      first.id,
    );
    const { body } = await call("GET", "/api/notifications");
    expect(body.notifications).toMatchObject([
      { kind: "change", jobId: anyConditionJob, message: "Status 200 → 503" },
    ]);
  });

  test("a server that answers with errors doesn't interrupt its job, but one that doesn't answer does", async () => {
    reset();
    const { createJob, execution, run, call } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.status = 404;
    for (let i = 0; i < 11; i++) await run(id);
    engine.site.page.failure = down;
    for (let i = 0; i < 9; i++) await run(id);
    expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({ status: "ACTIVE", failures: 20 });
    await waitADay(id);
    await run(id);
    expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({ status: "INTERRUPTED" });
  });

  test("R9 a truncated capture is recorded, never compared and never the baseline", async () => {
    reset();
    const { createJob, execution, run, call } = await engine.person();
    const id = await createJob();
    const first = await execution(id, 1);
    Object.assign(engine.site.page, { truncated: true, html: html("half a page") });
    expect(await run(id)).toMatchObject({
      truncated: true,
      changed: false,
      similarity: null,
      summary: "Too large to be compared: narrow it with a selector",
    });
    reset();
    const after = await run(id);
    const detail = await call("GET", `/api/jobs/${id}/executions/${after.id}`);
    expect(detail.body).toMatchObject({ changed: false, baselineId: first.id });
  });

  test("B6 a page taller than its picture is compared by its text and HTML, and the log says so", async () => {
    reset();
    engine.site.page.isCut = true;
    const { createJob, execution, run, logsOf } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.html = html(...story, "One more paragraph, far below.");
    expect(await run(id)).toMatchObject({
      changed: true,
      truncated: false,
      summary: "“One more paragraph, far below.” added",
    });
    expect(await logsOf(id)).toContain(
      "[info] The page is taller than its picture, which ends at 48 px; text and HTML are whole",
    );
    engine.site.page.isCut = false;
  });

  test("R9 a page that is always truncated gets no baseline, and its summary says why and what to do", async () => {
    reset();
    engine.site.page.truncated = true;
    const { createJob, execution, run, call, logsOf } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.html = html("another half of a page");
    const { id: second } = await run(id);
    const explanation = "Too large to be compared: narrow it with a selector";
    expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({
      status: "ACTIVE",
      failures: 0,
      changesTotal: 0,
      executions: [
        { summary: explanation, truncated: true, changed: false, similarity: null },
        { summary: explanation, truncated: true, changed: false, similarity: null },
      ],
    });
    expect((await logsOf(id)).filter((line) => line === `[warn] ${explanation}`)).toHaveLength(2);
    const detail = await call("GET", `/api/jobs/${id}/executions/${second}`);
    expect(detail.body).toMatchObject({ baselineId: null, verdict: null });
    expect((await call("GET", "/api/notifications")).body).toMatchObject({ notifications: [] });

    engine.site.page.truncated = false;
    expect(await run(id)).toMatchObject({ summary: "First capture", truncated: false });
  });

  test("ten failures in a row and a day without an answer interrupt the job, with one log line and one notification", async () => {
    reset();
    const { createJob, execution, run, call, logsOf } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.failure = down;
    for (let i = 0; i < 10; i++) await run(id);
    // A site may be down for a day before its job is interrupted.
    expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({ status: "ACTIVE", failures: 10 });
    await waitADay(id);
    await run(id);
    expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({
      status: "INTERRUPTED",
      failures: 11,
      nextRunAt: null,
    });
    await run(id);
    expect(
      (await logsOf(id)).filter((line) => line === "[error] Interrupted after 11 failures in a row"),
    ).toHaveLength(1);
    const feed = await call("GET", "/api/notifications");
    expect(feed.body).toMatchObject({
      notifications: [{ kind: "interrupted", jobId: id }, { kind: "failing" }],
    });
    reset();
    await call("PATCH", `/api/jobs/${id}/ACTIVE`);
    await execution(id, 14);
    expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({ status: "ACTIVE", failures: 0 });
  });

  // choose-notices.test.ts goes over all kinds; they differ only in their advice.
  test.for(isLong ? wallKinds : (["captcha", "login"] as const))(
    "a wall (%s) is notified once and on recovery, and is never a change or a baseline",
    async (kind) => {
      reset();
      const { createJob, execution, run, call } = await engine.person();
      const id = await createJob();
      await execution(id, 1);
      const message = `The site shows a wall: ${kind}.`;
      engine.site.page.failure = { kind: "blocked", message, wall: kind };
      const kinds = async () =>
        ((await call("GET", "/api/notifications")).body.notifications as unknown as { kind: string }[]).map(
          (notification) => notification.kind,
        );
      expect(await run(id)).toMatchObject({ changed: false, error: message });
      expect(await kinds()).toEqual([]);
      await run(id);
      await run(id);
      expect(await kinds()).toEqual(["failing"]);
      const { body } = await call("GET", `/api/jobs/${id}`);
      expect(body).toMatchObject({
        status: "ACTIVE",
        changesTotal: 0,
        trouble: { kind: "wall", message, advice: wallAdvice[kind] },
      });
      // What changed meanwhile is found, because the baseline is still the last good page.
      reset();
      engine.site.page.html = html(...story, "The price went up while nobody could see it.");
      expect(await run(id)).toMatchObject({ changed: true, error: null });
      expect((await kinds()).toSorted()).toEqual(["change", "failing", "recovered"]);
      expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({ trouble: null, changesTotal: 1 });
    },
  );

  test("Retry-After pauses the host and postpones the job's next check", async () => {
    reset();
    const { createJob, execution, run } = await engine.person();
    const host = "127.0.0.9";
    const id = await createJob({ url: `http://${host}/a`, frequency: 5 });
    await execution(id, 1);
    Object.assign(engine.site.page, { status: 429, headers: [["retry-after", "7200"]] });
    const limited = await run(id);
    expect(limited).toMatchObject({
      status_code: 429,
      changed: false,
      error: "The site answered 429 and asked us to come back in 7200 s.",
    });
    const { next, pause } = await engine.app.db
      .selectFrom("jobs")
      .innerJoin("schedules", "schedules.job_id", "jobs.id")
      .innerJoin("host_pauses", "host_pauses.host", "jobs.host")
      .select(["next_run_at as next", "until as pause"])
      .where("jobs.id", "=", id)
      .executeTakeFirstOrThrow();
    expect(next.getTime()).toBeGreaterThanOrEqual(pause.getTime());
    reset();
    const requestsBefore = engine.site.requests.length;
    const other = await createJob({ url: `http://${host}/b` });
    await engine.waitFor("deferral", async () => {
      const { rows } = await queryTasks("execute", other, "jobId");
      return rows.some((row) => row.state === "created" && row.waits);
    });
    expect(engine.site.requests.length).toBe(requestsBefore);
  });

  test("a page that lost parts is checked again within minutes, and is neither alerted nor the baseline", async () => {
    reset();
    const many = Array.from({ length: 8 }, (_, at) => `Paragraph ${at} of the report on the price of glass.`);
    engine.site.page.html = html(...story, ...many);
    const { createJob, execution, run } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    engine.site.page.html = html(...story);
    const partial = await run(id);
    expect(partial.summary).toMatch(/^Loads only partly: /);
    const { next, baseline } = await engine.app.db
      .selectFrom("jobs")
      .innerJoin("schedules", "schedules.job_id", "jobs.id")
      .select(["next_run_at as next", "baseline_id as baseline"])
      .where("jobs.id", "=", id)
      .executeTakeFirstOrThrow();
    expect(next.getTime()).toBeLessThanOrEqual(Date.now() + 180_000);
    expect(baseline).not.toBe(partial.id);
    engine.site.page.html = html(...story, ...many);
    expect(await run(id)).toMatchObject({ summary: "No change", changed: false });
  });

  test("a job whose URL changes during its capture is captured again, and the old capture is discarded", async () => {
    reset();
    const { createJob, call, execution, executionsOf, logsOf } = await engine.person();
    const resume = engine.site.pause();
    const id = await createJob({ url: "http://127.0.0.1:8080/old" });
    await engine.waitFor("capture", async () => engine.site.requests.at(-1)?.url.endsWith("/old"));
    await call("PATCH", `/api/jobs/${id}`, { url: "http://127.0.0.1:8080/new" });
    resume();
    await execution(id, 1);
    expect(await executionsOf(id)).toHaveLength(1);
    expect(engine.site.requests.at(-1)?.url).toBe("http://127.0.0.1:8080/new");
    expect(await logsOf(id)).toContain("[info] The job changed during the check: checked again");
  });

  test("a check that finds no change is discarded too if the job's URL changed during its capture", async () => {
    reset();
    const { createJob, call, execution, logsOf } = await engine.person();
    const id = await createJob({ url: "http://127.0.0.1:8080/old" });
    await execution(id, 1);
    const requestsBefore = engine.site.requests.length;
    const resume = engine.site.pause();
    await call("POST", `/api/jobs/${id}/run`);
    await engine.waitFor("capture", async () => engine.site.requests.length > requestsBefore);
    await call("PATCH", `/api/jobs/${id}`, { url: "http://127.0.0.1:8080/new" });
    resume();
    await execution(id, 2);
    expect(engine.site.requests.at(-1)?.url).toBe("http://127.0.0.1:8080/new");
    expect(await logsOf(id)).toContain("[info] The job changed during the check: checked again");
  });

  test("a job's own headers are sent, encrypted in the database and masked in responses", async () => {
    reset();
    const { createJob, execution, call } = await engine.person();
    const id = await createJob({ headers: [{ name: "X-Key", value: "marked-secret-77" }] });
    await execution(id, 1);
    expect(engine.site.requests.at(-1)?.headers).toEqual([["X-Key", "marked-secret-77"]]);
    const job = await call("GET", `/api/jobs/${id}`);
    expect(job.body.headers).toEqual([{ name: "X-Key", value: "••••••••" }]);
    await call("PATCH", `/api/jobs/${id}`, { headers: job.body.headers });
    const row = await engine.app.db
      .selectFrom("jobs")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain("marked-secret-77");
    expect(engine.app.accounts.secrets.open(row.headers_sealed ?? "", `job-headers:${id}`)).toContain(
      "marked-secret-77",
    );
    expect(engine.log.join("")).not.toContain("marked-secret-77");
  });
});

describe("the confirmation", () => {
  let slowEngine: Awaited<ReturnType<typeof startTestEngine>>;
  beforeAll(async () => {
    slowEngine = await startTestEngine({ concurrency: 1, confirmAfterMs: 2500 });
  });
  afterAll(() => slowEngine.close());

  test("is a separate task of the same execution, and worker slot and host slot are free in between", async () => {
    const { createJob, execution, executionsOf, call } = await slowEngine.person();
    const [one, two] = [await createJob(), await createJob()];
    const paths = () => slowEngine.site.requests.map(({ url }) => new URL(url).pathname);
    await slowEngine.waitFor("both first captures", async () => paths().length === 2);
    expect(paths()).toEqual(["/1", "/2"]);
    expect((await call("POST", `/api/jobs/${one}/run`)).body).toMatchObject({ code: "JOB_QUEUED" });
    expect((await call("GET", `/api/jobs/${one}`)).body).toMatchObject({ activity: "running" });
    await execution(one, 1);
    await execution(two, 1);
    expect(paths().toSorted()).toEqual(["/1", "/1", "/2", "/2"]);
    expect(await executionsOf(one)).toHaveLength(1);
  });

  test("is retried after a bug without losing the first capture, and no unused contents remain", async () => {
    reset();
    const { createJob, execution, accountId } = await engine.person();
    const requestsBefore = engine.site.requests.length;
    engine.site.next.push({}, { bug: new Error("a bug of ours") });
    const id = await createJob();
    await engine.waitFor("the failure", async () => {
      const { rows } =
        await sql`select from pgboss.job where state = 'retry' and data ->> 'jobId' = ${id}`.execute(
          engine.app.db,
        );
      return rows.length > 0;
    });
    await makeDue(engine.app.db, sql`state = 'retry'`);
    expect(await execution(id, 1)).toMatchObject({ summary: "First capture", attempts: 2 });
    expect(engine.site.requests.length - requestsBefore).toBe(3);
    const contents = engine.app.db
      .selectFrom("contents")
      .select("refs")
      .where("account_id", "=", accountId)
      .where("refs", "=", 0);
    await engine.waitFor("cleaning", async () => (await contents.execute()).length === 0);
  });

  test("starts over if the job's URL changed in between", async () => {
    const { createJob, execution, executionsOf, call, logsOf } = await slowEngine.person();
    slowEngine.site.requests.length = 0;
    const id = await createJob({ url: "http://127.0.0.1:8080/old" });
    await slowEngine.waitFor("the first capture", async () => slowEngine.site.requests.length === 1);
    await call("PATCH", `/api/jobs/${id}`, { url: "http://127.0.0.1:8080/new" });
    await execution(id, 1);
    expect(slowEngine.site.requests.map(({ url }) => new URL(url).pathname)).toEqual([
      "/old",
      "/new",
      "/new",
    ]);
    expect(await executionsOf(id)).toHaveLength(1);
    expect(await logsOf(id)).toContain("[info] The job changed during the check: checked again");
  });
});

async function queryTasks(name: string, value: string, field = "notificationId") {
  const { sql } = await import("kysely");
  if (field === "notificationId") {
    return sql<{ state: string; waits: boolean }>`
      select state::text, start_after > now() as waits from pgboss.job
      join notifications on notifications.id::text = data ->> 'notificationId'
      where name = ${name} and account_id = ${value}`.execute(engine.app.db);
  }
  return sql<{ state: string; waits: boolean }>`
    select state::text, start_after > now() as waits from pgboss.job where name = ${name} and data ->> ${field} = ${value}
  `.execute(engine.app.db);
}
