import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Detector } from "./deps.ts";
import { startTestEngine } from "./testing/engine.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine({ concurrency: 3 });
});
afterAll(() => engine.close());
beforeEach(() => {
  engine.site.requests.length = 0;
});

const requestedPaths = () => engine.site.requests.map(({ url }) => new URL(url).pathname);
const waitForRequests = (what: string, count: number) =>
  engine.waitFor(what, async () => requestedPaths().length >= count);
const hosts = { a: "http://127.0.0.11:7001", b: "http://127.0.0.12:7002", c: "http://127.0.0.13:7003" };

test("checks that wait for a host slot hold no worker slot, so checks of other hosts start", async () => {
  const { createJob, execution } = await engine.person();
  const resume = engine.site.pause();
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await createJob({ url: `${hosts.a}/a${i}` }));
  await waitForRequests("two of the host", 2);
  ids.push(await createJob({ url: `${hosts.b}/b` }));
  await waitForRequests("the other host's", 3);
  expect(requestedPaths().filter((path) => path.startsWith("/a"))).toHaveLength(2);
  expect(requestedPaths()).toContain("/b");
  resume();
  for (const id of ids) await execution(id, 1);
  const { rows } = await sql<{ starts: number }>`
    select count(*)::integer as starts from pgboss.job where name = 'execute' and data ->> 'jobId' = any(${ids})`.execute(
    engine.app.db,
  );
  // Two tasks each, one per capture: no task was taken and put back.
  expect(rows[0]?.starts).toBe(2 * ids.length);
});

test("a host's next page is requested while its previous page is still being rendered", async () => {
  const { createJob, execution } = await engine.person();
  const resume = engine.site.pause("drawing");
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await createJob({ url: `${hosts.a}/drawn${i}` }));
  // An account may have three captures in the browser, while the host allows two requests at once.
  await waitForRequests("three", 3);
  expect(
    requestedPaths()
      .slice(0, 3)
      .every((path) => path.startsWith("/drawn")),
  ).toBe(true);
  resume();
  for (const id of ids) await execution(id, 1);
});

test("an account whose pages never finish loading leaves a slot to other accounts", async () => {
  const [user, otherUser] = [await engine.person(), await engine.person()];
  const resume = engine.site.pause();
  for (const [i, host] of [hosts.a, hosts.a, hosts.b, hosts.b, hosts.c, hosts.c].entries())
    await user.createJob({ url: `${host}/slow${i}` });
  await waitForRequests("as many as an account may have", 3);
  const otherJob = await otherUser.createJob({ url: `${hosts.c}/theirs` });
  await waitForRequests("the other user's", 4);
  expect(requestedPaths().at(-1)).toBe("/theirs");
  expect(requestedPaths().filter((path) => path.startsWith("/slow"))).toHaveLength(3);
  resume();
  await otherUser.execution(otherJob, 1);
});

test("an account's large pages hold their slots until they are compared", async () => {
  const [user, otherUser] = [await engine.person(), await engine.person()];
  const { html } = engine.site.page;
  // A comment makes the page large: its size counts here, and comparing it costs nothing.
  engine.site.page.html = `<p>A large page.</p><!-- ${"x".repeat(1_200_000)} -->`;
  const { detector } = engine.app;
  const detectorOf = detector.for.bind(detector);
  const gate = Promise.withResolvers<void>();
  const compareMock = vi.fn<Detector["compare"]>(async (...input) => {
    await gate.promise;
    return detectorOf("").compare(...input);
  });
  const detectorSpy = vi
    .spyOn(detector, "for")
    .mockImplementation((accountId) => ({ ...detectorOf(accountId), compare: compareMock }));
  onTestFinished(() => {
    engine.site.page.html = html;
    detectorSpy.mockRestore();
  });
  const ids: string[] = [];
  for (const [i, host] of [hosts.a, hosts.a, hosts.b, hosts.b].entries())
    ids.push(await user.createJob({ url: `${host}/large${i}` }));
  for (const id of ids) await user.execution(id, 1);
  engine.site.requests.length = 0;
  for (const id of ids) await user.call("POST", `/api/jobs/${id}/run`);
  await engine.waitFor("three to be compared", async () => compareMock.mock.calls.length >= 3);
  const otherJob = await otherUser.createJob({ url: `${hosts.c}/theirs` });
  await waitForRequests("the other user's", 4);
  expect(requestedPaths().filter((path) => path.startsWith("/large"))).toHaveLength(3);
  gate.resolve();
  await otherUser.execution(otherJob, 1);
  for (const id of ids) await user.execution(id, 2);
});

test("a host that two accounts watch has a slot for each, however many checks one of them has waiting", async () => {
  const [user, otherUser] = [await engine.person(), await engine.person()];
  const shared = "http://127.0.0.21:7021";
  const otherJob = await otherUser.createJob({ url: `${shared}/theirs` });
  await otherUser.execution(otherJob, 1);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push(await user.createJob({ url: `${shared}/slow${i}` }));
  for (const id of ids) await user.execution(id, 1);
  engine.site.requests.length = 0;
  const resume = engine.site.pause();
  for (const id of ids) await user.call("POST", `/api/jobs/${id}/run`);
  await waitForRequests("one of the account", 1);
  await otherUser.call("POST", `/api/jobs/${otherJob}/run`);
  await waitForRequests("the other user's", 2);
  expect(requestedPaths().at(-1)).toBe("/theirs");
  expect(requestedPaths().filter((path) => path.startsWith("/slow"))).toHaveLength(1);
  resume();
  await otherUser.execution(otherJob, 2);
  for (const id of ids) await user.execution(id, 2);
});

test("an operator can set how many captures a host gets at once, for all hosts and for one host", async () => {
  const ownEngine = await startTestEngine({
    concurrency: 4,
    environment: { CAPTURES_PER_HOST: "1,127.0.0.12=2" },
  });
  try {
    const { createJob, execution } = await ownEngine.person();
    const resume = ownEngine.site.pause();
    const ids: string[] = [];
    for (const host of [hosts.a, hosts.b]) {
      for (let i = 0; i < 3; i++) ids.push(await createJob({ url: `${host}/${i}` }));
    }
    await ownEngine.waitFor("three", async () => ownEngine.site.requests.length >= 3);
    expect(ownEngine.site.requests.map(({ url }) => new URL(url).hostname).sort()).toEqual([
      "127.0.0.11",
      "127.0.0.12",
      "127.0.0.12",
    ]);
    resume();
    for (const id of ids) await execution(id, 1);
  } finally {
    await ownEngine.close();
  }
});

test("a check that the user requests goes before checks that are due", async () => {
  const { createJob, execution, call } = await engine.person();
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await createJob({ url: `${hosts.a}/d${i}` }));
  for (const id of ids) await execution(id, 1);
  const resume = engine.site.pause();
  const priority = async (id: string) => {
    const { rows } = await sql<{ priority: number }>`select priority from pgboss.job
      where name = 'execute' and singleton_key = ${id} and state = 'created'`.execute(engine.app.db);
    return rows[0]?.priority ?? Number.NaN;
  };
  const [first = "", second = "", dueJob = "", requestedJob = ""] = ids;
  for (const id of [first, second]) await call("POST", `/api/jobs/${id}/run`);
  engine.site.requests.length = 0;
  await sql`update schedules set next_run_at = now() where job_id in (${dueJob}, ${requestedJob})`.execute(
    engine.app.db,
  );
  const { enqueueDue } = await import("#scheduling/enqueue-due.ts");
  await enqueueDue(engine.app.jobs, 10);
  expect(await priority(requestedJob)).toBeLessThanOrEqual((await priority(dueJob)) + 30);
  await call("POST", `/api/jobs/${requestedJob}/run`);
  expect(await priority(requestedJob)).toBeGreaterThan((await priority(dueJob)) + 1000);
  resume();
  for (const id of [dueJob, requestedJob]) await execution(id, 2);
});

test("a Retry-After of a day holds for the account that got it, and others wait two minutes at most", async () => {
  const [user, otherUser] = [await engine.person(), await engine.person()];
  const host = "http://127.0.0.19:7009";
  const first = await user.createJob({ url: `${host}/1` });
  await user.execution(first, 1);
  engine.site.next.push({ status: 429, headers: [["retry-after", "86400"]] });
  await user.run(first);
  const secondsUntilStart = async (id: string) => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from start_after - now())::float8 as seconds from pgboss.job
      where name = 'execute' and singleton_key = ${id} and state = 'created' and start_after > now()`.execute(
      engine.app.db,
    );
    return rows[0]?.seconds;
  };
  const [ownJob, otherJob] = [
    await user.createJob({ url: `${host}/2` }),
    await otherUser.createJob({ url: `${host}/3` }),
  ];
  expect(await engine.waitFor("the long wait", () => secondsUntilStart(ownJob))).toBeGreaterThan(80_000);
  expect(await engine.waitFor("the short wait", () => secondsUntilStart(otherJob))).toBeLessThanOrEqual(121);
  expect((await otherUser.logsOf(otherJob))[0]).toMatch(
    /^\[warn\] 127\.0\.0\.19 asked us to wait: this check is delayed by \d+ s$/,
  );
});
