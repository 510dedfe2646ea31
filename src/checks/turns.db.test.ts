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

const asked = () => engine.site.requests.map(({ url }) => new URL(url).pathname);
const begun = (what: string, count: number) => engine.waitFor(what, async () => asked().length >= count);
const hosts = { a: "http://127.0.0.11:7001", b: "http://127.0.0.12:7002", c: "http://127.0.0.13:7003" };

test("checks that wait for a host hold no place: those of others begin", async () => {
  const { createJob, execution } = await engine.person();
  const go = engine.site.pause();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await createJob({ url: `${hosts.a}/a${i}` }));
  await begun("two of the host", 2);
  ids.push(await createJob({ url: `${hosts.b}/b` }));
  await begun("the other host's", 3);
  expect(asked().filter((path) => path.startsWith("/a"))).toHaveLength(2);
  expect(asked()).toContain("/b");
  go();
  for (const id of ids) await execution(id, 1);
  const { rows } = await sql<{ starts: number }>`
    select count(*)::integer as starts from pgboss.job where name = 'execute' and data ->> 'jobId' = any(${ids})`.execute(
    engine.app.db,
  );
  // Two looks each: none was taken and put back.
  expect(rows[0]?.starts).toBe(2 * ids.length);
});

test("of a host the next is asked while what it gave before is still drawn", async () => {
  const { createJob, execution } = await engine.person();
  const go = engine.site.pause("drawing");
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await createJob({ url: `${hosts.a}/drawn${i}` }));
  // As many as an account may have in the browser, where the host has two at once.
  await begun("three", 3);
  expect(
    asked()
      .slice(0, 3)
      .every((path) => path.startsWith("/drawn")),
  ).toBe(true);
  go();
  for (const id of ids) await execution(id, 1);
});

test("an account whose pages never end leaves a place to the others", async () => {
  const [one, other] = [await engine.person(), await engine.person()];
  const go = engine.site.pause();
  for (const [i, host] of [hosts.a, hosts.a, hosts.b, hosts.b, hosts.c, hosts.c].entries())
    await one.createJob({ url: `${host}/slow${i}` });
  await begun("as many as an account may", 3);
  const theirs = await other.createJob({ url: `${hosts.c}/theirs` });
  await begun("the other's", 4);
  expect(asked().at(-1)).toBe("/theirs");
  expect(asked().filter((path) => path.startsWith("/slow"))).toHaveLength(3);
  go();
  await other.execution(theirs, 1);
});

test("an account's large pages keep their places until they are compared", async () => {
  const [one, other] = [await engine.person(), await engine.person()];
  const { html } = engine.site.page;
  // Large by a comment: its size counts here, and what there is to compare costs nothing.
  engine.site.page.html = `<p>A large page.</p><!-- ${"x".repeat(1_200_000)} -->`;
  const { detector } = engine.app;
  const detectorOf = detector.for.bind(detector);
  const held = Promise.withResolvers<void>();
  const comparing = vi.fn<Detector["compare"]>(async (...input) => {
    await held.promise;
    return detectorOf("").compare(...input);
  });
  const sharing = vi
    .spyOn(detector, "for")
    .mockImplementation((accountId) => ({ ...detectorOf(accountId), compare: comparing }));
  onTestFinished(() => {
    engine.site.page.html = html;
    sharing.mockRestore();
  });
  const ids: string[] = [];
  for (const [i, host] of [hosts.a, hosts.a, hosts.b, hosts.b, hosts.c].entries())
    ids.push(await one.createJob({ url: `${host}/large${i}` }));
  for (const id of ids) await one.execution(id, 1);
  engine.site.requests.length = 0;
  for (const id of ids) await one.call("POST", `/api/jobs/${id}/run`);
  await engine.waitFor("three to be compared", async () => comparing.mock.calls.length >= 3);
  const theirs = await other.createJob({ url: `${hosts.c}/theirs` });
  await begun("the other's", 4);
  expect(asked().filter((path) => path.startsWith("/large"))).toHaveLength(3);
  held.resolve();
  await other.execution(theirs, 1);
  for (const id of ids) await one.execution(id, 2);
});

test("a host that two accounts watch has a slot for each, however many checks the one has waiting", async () => {
  const [one, other] = [await engine.person(), await engine.person()];
  const shared = "http://127.0.0.21:7021";
  const theirs = await other.createJob({ url: `${shared}/theirs` });
  await other.execution(theirs, 1);
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await one.createJob({ url: `${shared}/slow${i}` }));
  for (const id of ids) await one.execution(id, 1);
  engine.site.requests.length = 0;
  const go = engine.site.pause();
  for (const id of ids) await one.call("POST", `/api/jobs/${id}/run`);
  await begun("one of the account", 1);
  await other.call("POST", `/api/jobs/${theirs}/run`);
  await begun("the other's", 2);
  expect(asked().at(-1)).toBe("/theirs");
  expect(asked().filter((path) => path.startsWith("/slow"))).toHaveLength(1);
  go();
  await other.execution(theirs, 2);
  for (const id of ids) await one.execution(id, 2);
});

test("an operator says how many of a host are captured at once, and of one host otherwise", async () => {
  const own = await startTestEngine({
    concurrency: 4,
    environment: { CAPTURES_PER_HOST: "1,127.0.0.12=2" },
  });
  try {
    const { createJob, execution } = await own.person();
    const go = own.site.pause();
    const ids: string[] = [];
    for (const host of [hosts.a, hosts.b]) {
      for (let i = 0; i < 3; i++) ids.push(await createJob({ url: `${host}/${i}` }));
    }
    await own.waitFor("three", async () => own.site.requests.length >= 3);
    expect(own.site.requests.map(({ url }) => new URL(url).hostname).sort()).toEqual([
      "127.0.0.11",
      "127.0.0.12",
      "127.0.0.12",
    ]);
    go();
    for (const id of ids) await execution(id, 1);
  } finally {
    await own.close();
  }
});

test("what is asked for goes before what is due", async () => {
  const { createJob, execution, call } = await engine.person();
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await createJob({ url: `${hosts.a}/d${i}` }));
  for (const id of ids) await execution(id, 1);
  const go = engine.site.pause();
  const priority = async (id: string) => {
    const { rows } = await sql<{ priority: number }>`select priority from pgboss.job
      where name = 'execute' and singleton_key = ${id} and state = 'created'`.execute(engine.app.db);
    return rows[0]?.priority ?? Number.NaN;
  };
  const [first = "", second = "", waiting = "", hastened = ""] = ids;
  for (const id of [first, second]) await call("POST", `/api/jobs/${id}/run`);
  engine.site.requests.length = 0;
  await sql`update schedules set next_run_at = now() where job_id in (${waiting}, ${hastened})`.execute(
    engine.app.db,
  );
  const { enqueueDue } = await import("./enqueue-due.ts");
  await enqueueDue(engine.app.jobs, 10);
  expect(await priority(hastened)).toBeLessThanOrEqual((await priority(waiting)) + 30);
  await call("POST", `/api/jobs/${hastened}/run`);
  expect(await priority(hastened)).toBeGreaterThan((await priority(waiting)) + 1000);
  go();
  for (const id of [waiting, hastened]) await execution(id, 2);
});

test("a host that wants to be left alone for a day is left so by who asked; others wait two minutes at most", async () => {
  const [one, other] = [await engine.person(), await engine.person()];
  const host = "http://127.0.0.19:7009";
  const first = await one.createJob({ url: `${host}/1` });
  await one.execution(first, 1);
  engine.site.next.push({ status: 429, headers: [["retry-after", "86400"]] });
  await one.run(first);
  const waits = async (id: string) => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from start_after - now())::float8 as seconds from pgboss.job
      where name = 'execute' and singleton_key = ${id} and state = 'created' and start_after > now()`.execute(
      engine.app.db,
    );
    return rows[0]?.seconds;
  };
  const [mine, theirs] = [
    await one.createJob({ url: `${host}/2` }),
    await other.createJob({ url: `${host}/3` }),
  ];
  expect(await engine.waitFor("the long wait", () => waits(mine))).toBeGreaterThan(80_000);
  expect(await engine.waitFor("the short wait", () => waits(theirs))).toBeLessThanOrEqual(121);
  expect((await other.logsOf(theirs))[0]).toMatch(
    /^\[warn\] 127\.0\.0\.19 asked to be left alone: this check waits \d+ s$/,
  );
});
