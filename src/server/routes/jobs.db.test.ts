import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
  engine.site.page.html = html(...story);
});

const job = (groupId: string, input: object = {}) => ({
  name: "A job",
  url: "http://127.0.0.1:8080/",
  frequency: 60,
  groupId,
  ...input,
});

describe("groups", () => {
  test("are created, listed, renamed and deleted with their jobs", async () => {
    const { call, groupId, createJob } = await engine.person("professional");
    const created = await call("POST", "/api/jobs/groups", { name: "  Scopes " });
    expect(created).toMatchObject({ status: 200, body: { code: "GROUP_CREATED", name: "Scopes" } });
    expect((await call("GET", "/api/jobs/groups")).body).toEqual([
      { id: groupId, name: "Group", jobs: 0 },
      { id: created.body.id, name: "Scopes", jobs: 0 },
    ]);
    const renamed = await call("PATCH", `/api/jobs/groups/${created.body.id}`, { name: "Assets" });
    expect(renamed.body).toMatchObject({ name: "Assets" });
    const jobId = await createJob({ groupId: created.body.id });
    const deleted = await call("DELETE", `/api/jobs/groups/${created.body.id}`);
    expect(deleted.body).toEqual({
      code: "GROUP_DELETED",
      message: 'The group "Assets" is deleted with its job.',
    });
    expect((await call("GET", `/api/jobs/${jobId}`)).status).toBe(404);
    expect((await call("GET", `/api/jobs/groups/${created.body.id}`)).status).toBe(404);
  });

  test("have unique names of 1 to 120 characters", async () => {
    const { call, groupId } = await engine.person("professional");
    for (const name of ["", "   ", "x".repeat(121), "a\u0007b", 5, null]) {
      const answer = await call("POST", "/api/jobs/groups", { name });
      expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } });
    }
    expect((await call("POST", "/api/jobs/groups", { name: "𝒳".repeat(120) })).status).toBe(200);
    expect(await call("POST", "/api/jobs/groups", { name: "Group" })).toMatchObject({
      status: 409,
      body: { code: "NAME_TAKEN" },
    });
    const other = await call("POST", "/api/jobs/groups", { name: "Other" });
    expect((await call("PATCH", `/api/jobs/groups/${other.body.id}`, { name: "Group" })).status).toBe(409);
    expect((await call("PATCH", `/api/jobs/groups/${groupId}`, { name: "Group" })).status).toBe(200);
  });
});

describe("jobs", () => {
  test("are returned with every field of the contract", async () => {
    const { call, groupId } = await engine.person();
    const trigger = {
      url: "http://127.0.0.1:9/hook",
      method: "POST",
      body: "{}",
      strings: ["found"],
      headers: [{ name: "X-T", value: "s3cret" }],
    };
    // The engine may start the check before the call is answered; paused, the check can't end before that.
    const release = engine.site.pause();
    const answer = await call("POST", "/api/jobs/create", {
      ...job(groupId),
      headers: [{ name: "Accept", value: "text/html" }],
      trigger,
      lookup: { strings: ["bounty"], when: "appears" },
      selector: "main",
      ignore: [".ad", "/\\d+ online/"],
    });
    release();
    expect(answer).toMatchObject({
      status: 200,
      body: {
        code: "JOB_CREATED",
        job: {
          name: "A job",
          url: "http://127.0.0.1:8080/",
          status: "ACTIVE",
          activity: expect.stringMatching(/^(queued|running)$/),
          frequencyMinutes: 60,
          groupId,
          group: { id: groupId, name: "Group" },
          headers: [{ name: "Accept", value: "••••••••" }],
          trigger: { ...trigger, headers: [{ name: "X-T", value: "••••••••" }] },
          lookup: { strings: ["bounty"], when: "appears" },
          selector: "main",
          ignore: [".ad", "/\\d+ online/"],
          executions: [],
          executionsTotal: 0,
          failures: 0,
        },
      },
    });
    const list = await call("GET", `/api/jobs/groups/${groupId}`);
    expect(list.body.Job).toHaveLength(1);
  });

  test("a URL without a scheme is https, whichever way it is entered", async () => {
    const { call, createJob } = await engine.person();
    const id = await createJob({ url: "\u200b 127.0.0.1:8080/a " });
    const path = `/api/jobs/${id}`;
    expect((await call("GET", path)).body.url).toBe("https://127.0.0.1:8080/a");
    for (const url of ["127.0.0.1:8080/b", " "]) {
      const answer = await call("PATCH", path, { url });
      expect(answer.body.job).toMatchObject({ url: "https://127.0.0.1:8080/b" });
    }
  });

  test("on an installation for one machine, a refused private address names EGRESS_ALLOW", async () => {
    const { call, groupId } = await engine.person();
    const refused = await call("POST", "/api/jobs/create", job(groupId, { url: "192.168.7.7" }));
    expect(refused.body.message).toBe(
      "This address may not be requested: only public http and https addresses are allowed. To allow a private address, add it to EGRESS_ALLOW and restart Watchglass.",
    );
  });

  test("can't be created with invalid values, and the refusal has a code and a sentence", async () => {
    const { call, groupId } = await engine.person();
    const invalidInputs: [object, number, string][] = [
      [{ url: "http://10.0.0.1/" }, 400, "TARGET_NOT_ALLOWED"],
      [{ url: "ftp://127.0.0.1/" }, 400, "TARGET_NOT_ALLOWED"],
      [{ url: "not a url" }, 400, "TARGET_NOT_ALLOWED"],
      [{ url: "http://169.254.169.254/latest" }, 400, "TARGET_NOT_ALLOWED"],
      [{ trigger: { url: "http://192.168.1.1/", method: "GET" } }, 400, "TARGET_NOT_ALLOWED"],
      [{ name: "x".repeat(121) }, 400, "INVALID_INPUT"],
      [{ frequency: 43_201 }, 400, "INVALID_INPUT"],
      [{ frequency: 0 }, 400, "INVALID_INPUT"],
      [{ frequency: 5.5 }, 400, "INVALID_INPUT"],
      [{ frequency: "often" }, 400, "INVALID_INPUT"],
      [{ groupId: undefined }, 400, "INVALID_INPUT"],
      [{ groupId: randomUUID() }, 404, "NOT_FOUND"],
      [{ headers: [{ name: "Host", value: "x" }] }, 400, "INVALID_INPUT"],
      [
        { headers: Array.from({ length: 11 }, (_, i) => ({ name: `X-${i}`, value: "" })) },
        400,
        "INVALID_INPUT",
      ],
      [{ headers: [{ name: "X", value: "a\r\nb: c" }] }, 400, "INVALID_INPUT"],
    ];
    for (const [input, status, code] of invalidInputs) {
      const answer = await call("POST", "/api/jobs/create", job(groupId, input));
      expect({ input, status: answer.status, code: answer.body.code }).toEqual({ input, status, code });
      expect(String(answer.body.message)).toMatch(/^[A-Z].*\.$|:/);
    }
    expect((await call("GET", "/api/jobs/groups")).body).toMatchObject([{ jobs: 0 }]);
  });

  test("have unique names in their group, also when they move", async () => {
    const { call, groupId, createJob } = await engine.person();
    const other = String((await call("POST", "/api/jobs/groups", { name: "Other" })).body.id);
    const first = await createJob({ name: "Same" });
    const second = await createJob({ name: "Same", groupId: other });
    expect(await call("POST", "/api/jobs/create", job(groupId, { name: "Same" }))).toMatchObject({
      status: 409,
      body: { code: "NAME_TAKEN" },
    });
    expect((await call("PATCH", "/api/jobs/addToGroup", { jobId: second, groupId })).status).toBe(409);
    await call("PATCH", `/api/jobs/${first}`, { name: "Different" });
    expect((await call("PATCH", "/api/jobs/addToGroup", { jobId: second, groupId })).status).toBe(200);
    expect((await call("GET", `/api/jobs/${second}`)).body).toMatchObject({
      groupId,
      group: { name: "Group" },
    });
  });

  test("keep the values that an update leaves empty, and unknown fields are refused by name (Z3)", async () => {
    const { call, createJob } = await engine.person();
    const id = await createJob({ name: "Kept", frequency: 30, selector: "main" });
    for (const [body, field, sentence] of [
      [{ status: "PAUSED" }, "status", /^There is no field “status”. Known are: name, url, frequency,/],
      [{ account_id: randomUUID() }, "account_id", /^There is no field “account_id”/],
      [{ selectr: "nav" }, "selectr", /^There is no field “selectr”. Did you mean “selector”\?$/],
      [{ waitFor: { second: 3 } }, "waitFor.second", /Did you mean “seconds”\?$/],
      [{ headers: [{ name: "A", value: "b", vlaue: "c" }] }, "headers.0.vlaue", /Did you mean “value”\?$/],
      [
        { lookup: { strings: ["a"], when: "appears", __proto__x: 1 } },
        "lookup.__proto__x",
        /Known are: strings, when\.$/,
      ],
    ] as const) {
      const refused = await call("PATCH", `/api/jobs/${id}`, { name: "Taken", ...body });
      expect([refused.status, refused.body.code, refused.body.field]).toEqual([400, "INVALID_INPUT", field]);
      expect(refused.body.message).toMatch(sentence);
    }
    const answer = await call("PATCH", `/api/jobs/${id}`, { name: "", url: "", frequency: null });
    expect(answer.body.job).toMatchObject({
      name: "Kept",
      frequencyMinutes: 30,
      status: "ACTIVE",
      selector: "main",
      executionsTotal: 0,
    });
    const changed = await call("PATCH", `/api/jobs/${id}`, { name: "New name", frequency: "45" });
    expect(changed.body.job).toMatchObject({ name: "New name", frequencyMinutes: 45 });
  });

  test("can be paused, disabled and reactivated, and other statuses are refused", async () => {
    const { call, createJob, execution, executionsOf } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    for (const status of ["PAUSED", "DISABLED"]) {
      expect(await call("PATCH", `/api/jobs/${id}/${status}`)).toMatchObject({
        status: 200,
        body: { message: `The job is now ${status}.` },
      });
      expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({ status, nextRunAt: null });
    }
    for (const status of ["INACTIVE", "INTERRUPTED", "active", "GONE"]) {
      expect(await call("PATCH", `/api/jobs/${id}/${status}`)).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT" },
      });
    }
    const before = (await executionsOf(id)).length;
    await call("PATCH", `/api/jobs/${id}/ACTIVE`);
    await execution(id, before + 1);
    expect((await call("GET", `/api/jobs/${id}`)).body).toMatchObject({ status: "ACTIVE" });
  });

  test("can be run now, also while paused, and a second call joins the running check", async () => {
    const { call, createJob, execution, executionsOf } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    await call("PATCH", `/api/jobs/${id}/PAUSED`);
    const release = engine.site.pause();
    const firstAnswer = await call("POST", `/api/jobs/${id}/run`);
    expect(firstAnswer).toMatchObject({
      status: 202,
      body: { code: "JOB_QUEUED", message: "The check has started." },
    });
    await engine.waitFor(
      "start",
      async () => (await call("GET", `/api/jobs/${id}`)).body.activity === "running",
    );
    const laterAnswers = await Promise.all([1, 2, 3].map(() => call("POST", `/api/jobs/${id}/run`)));
    for (const answer of laterAnswers)
      expect(answer).toMatchObject({ status: 202, body: { message: "A check is already under way." } });
    release();
    await execution(id, 2);
    expect(await executionsOf(id)).toHaveLength(2);
  });

  test("keep to their plan when a check is requested in between", async () => {
    const { call, createJob, run } = await engine.person();
    const plans = [
      {},
      { schedule: { zone: "UTC", cron: "0 3 * * *" } },
      { schedule: { zone: "UTC", week: Array(7).fill([3]) } },
    ];
    for (const plan of plans) {
      const id = await createJob({ frequency: 1440, ...plan });
      const nextRunAt = async () => (await call("GET", `/api/jobs/${id}`)).body.nextRunAt;
      const planned = await nextRunAt();
      expect(planned).toEqual(expect.any(String));
      await run(id);
      await run(id);
      expect(await nextRunAt()).toBe(planned);
    }
  });

  test("are deleted with their history", async () => {
    const { call, createJob, execution, accountId } = await engine.person();
    const id = await createJob();
    const { id: executionId } = await execution(id, 1);
    expect((await call("DELETE", `/api/jobs/${id}`)).body).toMatchObject({ code: "JOB_DELETED" });
    for (const path of [
      "",
      "/logs",
      "/executions",
      `/executions/${executionId}`,
      `/executions/${executionId}/image`,
      `/metadata/${executionId}`,
    ]) {
      expect((await call("GET", `/api/jobs/${id}${path}`)).status).toBe(404);
    }
    await engine.waitFor("the deletion", async () => {
      const rows = await Promise.all(
        (["executions", "job_logs"] as const).map((table) =>
          engine.app.db.selectFrom(table).select("id").where("job_id", "=", id).execute(),
        ),
      );
      return rows.flat().length === 0;
    });
    const contents = await engine.app.db
      .selectFrom("contents")
      .select("refs")
      .where("account_id", "=", accountId)
      .where("base", "is", null)
      .execute();
    expect(contents.some(({ refs }) => refs < 0)).toBe(false);
  });
});

describe("captures", () => {
  test("are served as picture, HTML source, text and metadata, never as a web page (V1)", async () => {
    const { call, createJob, execution } = await engine.person();
    const id = await createJob();
    const { id: executionId } = await execution(id, 1);
    const path = `/api/jobs/${id}/executions/${executionId}`;
    const image = await call("GET", `${path}/image`);
    expect(image.headers).toMatchObject({
      "content-type": "image/png",
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    });
    expect(await sharp(image.raw).metadata()).toMatchObject({ format: "png", width: 64, height: 48 });
    const page = await call("GET", `${path}/html`);
    expect(page.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": "sandbox; default-src 'none'",
      "referrer-policy": "no-referrer",
    });
    expect(page.raw.toString()).toBe(html(...story));
    expect((await call("GET", `${path}/text`)).raw.toString()).toContain("Sentence number one");
    const metadata = await call("GET", `/api/jobs/${id}/metadata/${executionId}`);
    expect(Buffer.from(String(metadata.body.html), "base64").toString()).toBe(html(...story));
    expect(Buffer.from(String(metadata.body.image), "base64").equals(image.raw)).toBe(true);
  });

  test("can be compared in pairs, in either direction", async () => {
    const { call, createJob, execution, run } = await engine.person();
    const id = await createJob();
    const first = await execution(id, 1);
    engine.site.page.html = html(...story, "An added paragraph with something to read.");
    engine.site.page.shade = 90;
    const second = await run(id);
    Object.assign(engine.site.page, { html: html(...story), shade: 200 });
    const comparison = await call("GET", `/api/jobs/${id}/compare?from=${first.id}&to=${second.id}`);
    expect(comparison).toMatchObject({ status: 200, body: { from: first.id, to: second.id, changed: true } });
    expect(JSON.stringify(comparison.body.hunks)).toContain("An added paragraph");
    expect(comparison.body.regions).not.toEqual([]);
    // What the noise memory has learned from this change since doesn't turn it into noise.
    const third = await run(id);
    const comparisonLater = await call("GET", `/api/jobs/${id}/compare?from=${first.id}&to=${second.id}`);
    expect(comparisonLater.body).toEqual(comparison.body);
    expect(comparisonLater.body.summary).toBe(second.summary);
    const nextComparison = await call("GET", `/api/jobs/${id}/compare?from=${second.id}&to=${third.id}`);
    expect(nextComparison.body).toMatchObject({ changed: true });
    // The regions that a check found are stored with it and equal those of a new comparison of the pictures.
    const removeRegions = engine.app.db
      .updateTable("verdicts")
      .set({ verdict: sql`verdict - 'regions'` })
      .where("execution_id", "=", second.id)
      .where(sql`verdict -> 'regions'`, "=", sql`${JSON.stringify(comparison.body.regions)}::jsonb`);
    expect((await removeRegions.executeTakeFirst()).numUpdatedRows).toBe(1n);
    const recomputed = await call("GET", `/api/jobs/${id}/compare?from=${first.id}&to=${second.id}`);
    expect(recomputed.body.regions).toEqual(comparison.body.regions);
    const sameExecution = await call("GET", `/api/jobs/${id}/compare?from=${first.id}&to=${first.id}`);
    expect(sameExecution.body).toMatchObject({ changed: false, similarity: 100, hunks: [], regions: [] });
    expect((await call("GET", `/api/jobs/${id}/compare?from=${first.id}&to=${randomUUID()}`)).status).toBe(
      404,
    );
    expect((await call("GET", `/api/jobs/${id}/compare?from=${first.id}`)).status).toBe(400);
  });

  test("give the same change when an alerted change is compared again", async () => {
    const { call, createJob, execution, run } = await engine.person();
    Object.assign(engine.site.page, { html: html(...story), shade: 200 });
    const id = await createJob();
    const first = await execution(id, 1);
    engine.site.page.html = html(...story, "A new paragraph was added here today.");
    const second = await run(id);
    engine.site.page.html = html(...story, "A new paragraph was added here today.", "And one more of them.");
    const third = await run(id);
    const { verdict } = (await call("GET", `/api/jobs/${id}/executions/${second.id}`)).body;
    const compare = (from: string, to: string) =>
      call("GET", `/api/jobs/${id}/compare?from=${from}&to=${to}`);
    expect((await compare(first.id, second.id)).body).toMatchObject(verdict as unknown as object);
    expect((await compare(first.id, third.id)).body).toMatchObject({
      changed: true,
      summary: "“A new paragraph was added here today.” added; “And one more of them.” added",
    });
  });

  test("are paged by cursor, newest first", async () => {
    const { call, createJob, execution, run } = await engine.person();
    const id = await createJob();
    await execution(id, 1);
    for (let i = 0; i < 4; i++) await run(id);
    const seen: number[] = [];
    let cursor = "";
    do {
      const page = await call("GET", `/api/jobs/${id}/executions?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.body.total).toBe(5);
      seen.push(...(page.body.executions as unknown as { index: number }[]).map(({ index }) => index));
      cursor = String(page.body.nextCursor ?? "");
    } while (cursor);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    for (const limit of [0, 101, "x"]) {
      expect((await call("GET", `/api/jobs/${id}/executions?limit=${limit}`)).status).toBe(400);
    }
  });
});

test("the dashboard's numbers come from the counters", async () => {
  const { call, createJob, execution, run } = await engine.person();
  expect((await call("GET", "/api/analytics/resume")).body).toMatchObject({
    total_groups: 1,
    total_jobs: 0,
    total_executions: 0,
    most_executions: null,
    total_failed: 0,
    last_job: null,
  });
  const busy = await createJob({ name: "Busy" });
  await execution(busy, 1);
  await run(busy);
  const failing = await createJob({ name: "Failing" });
  await execution(failing, 1);
  engine.site.page.failure = {
    kind: "dns",
    message: "The name doesn’t resolve to a public address.",
  };
  await run(failing);
  engine.site.page.failure = null;
  const resume = await call("GET", "/api/analytics/resume");
  expect(resume.body).toMatchObject({
    total_groups: 1,
    total_jobs: 2,
    total_executions: 4,
    most_executions: { job_name: "Busy", executions: 2 },
    total_failed: 1,
    last_job: "Failing",
    recent_changes: [],
    failing_jobs: [{ id: failing, failures: 1, error: "The name doesn’t resolve to a public address." }],
  });
  expect((resume.body.next_checks as unknown as { id: string }[]).map(({ id }) => id).sort()).toEqual(
    [busy, failing].sort(),
  );
  expect((await call("GET", "/api/analytics/job_statistics")).body).toEqual([
    { job_name: "Busy", logs: 4, executions: 2, errors: 0 },
    { job_name: "Failing", logs: 3, executions: 2, errors: 1 },
  ]);
});

test("the dashboard lists unread changes, the most severe first, and no other notifications", async () => {
  const { call, accountId } = await engine.person();
  const stranger = await engine.person();
  const add = (severity: string, message: string, kind: "change" | "failing" = "change") =>
    engine.app.db
      .insertInto("notifications")
      .values({ account_id: accountId, kind, severity, title: "A", message })
      .execute();
  await add("critical", "form");
  await add("notice", "older");
  await add("critical", "failed", "failing");
  await add("important", "link");
  await add("notice", "newer");
  const unread = async (person = { call }) =>
    (
      (await person.call("GET", "/api/analytics/resume")).body.unread_changes as unknown as {
        message: string;
      }[]
    ).map(({ message }) => message);
  expect(await unread()).toEqual(["form", "link", "newer", "older"]);
  expect(await unread(stranger)).toEqual([]);
  for (let i = 0; i < 8; i++) await add("important", `more ${i}`);
  expect(await unread()).toEqual(["form", ...[7, 6, 5, 4, 3, 2, 1].map((i) => `more ${i}`)]);
  await call("POST", "/api/notifications/read", {});
  expect(await unread()).toEqual([]);
});

test("notifications are paged and can be marked as read", async () => {
  const { call, accountId } = await engine.person();
  const stranger = await engine.person();
  for (let i = 0; i < 5; i++) {
    await engine.app.db
      .insertInto("notifications")
      .values({ account_id: accountId, kind: "change", severity: "notice", title: "A", message: `${i}` })
      .execute();
  }
  const page = await call("GET", "/api/notifications?limit=2");
  expect(page.body).toMatchObject({
    unread: 5,
    notifications: [{ message: "4", read: false }, { message: "3" }],
  });
  const next = await call("GET", `/api/notifications?limit=2&cursor=${page.body.nextCursor}`);
  expect(next.body).toMatchObject({ notifications: [{ message: "2" }, { message: "1" }] });
  const [newest, second] = page.body.notifications as unknown as { id: string; createdAt: string }[];
  const until = await call("GET", `/api/notifications?until=${second?.createdAt}`);
  const before = (until.body.notifications as unknown as { createdAt: string }[]).map(
    ({ createdAt }) => createdAt < String(second?.createdAt),
  );
  expect(before).toEqual(before.map(() => true));
  expect((await call("GET", "/api/notifications?until=2020-01-01T00:00:00Z")).body.notifications).toEqual([]);
  expect(
    (await call("GET", "/api/notifications?until=2199-01-01T00:00:00Z")).body.notifications,
  ).toHaveLength(5);
  expect((await call("GET", "/api/notifications?until=1901-01-01T00:00:00Z")).body.notifications).toEqual([]);
  expect((await call("GET", "/api/notifications?until=yesterday")).status).toBe(400);
  await stranger.call("POST", "/api/notifications/read", { ids: [newest?.id] });
  await stranger.call("POST", "/api/notifications/read", {});
  expect((await call("GET", "/api/notifications")).body.unread).toBe(5);
  await call("POST", "/api/notifications/read", { ids: [newest?.id] });
  expect((await call("GET", "/api/notifications")).body).toMatchObject({
    unread: 4,
    notifications: [{ read: true }, { read: false }, {}, {}, {}],
  });
  await call("POST", "/api/notifications/read", { ids: [] });
  expect((await call("GET", "/api/notifications")).body.unread).toBe(4);
  await call("POST", "/api/notifications/read", {});
  expect((await call("GET", "/api/notifications")).body.unread).toBe(0);
});
