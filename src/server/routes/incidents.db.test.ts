import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { Incidents } from "#contract/incident.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;

const read = async (person: Person, query = "") =>
  (await person.call("GET", `/api/incidents${query}`)).body as unknown as Incidents;

test("a deployment over several pages is one incident, with what each page has beyond it", async () => {
  const person = await engine.person();
  const { page } = engine.site;
  page.html = html(...story, "Careers", "12 open positions");
  const jobs: string[] = [];
  for (const name of ["Home", "Shop", "Blog"]) jobs.push(await person.createJob({ name }));
  const [home = "", shop = "", blog = ""] = jobs;
  for (const job of jobs) await person.execution(job, 1);
  page.html = html(...story, "Jobs and careers at our company", "12 open positions");
  for (const job of [home, shop]) await person.run(job);
  page.html = html(
    ...story,
    "Jobs and careers at our company",
    "12 open positions",
    "A new post of our blog",
  );
  await person.run(blog);
  const other = await person.createJob({ name: "Other" });
  await person.execution(other, 1);
  page.html = html(
    ...story,
    "Jobs and careers at our company",
    "12 open positions",
    "Something else entirely",
  );
  await person.run(other);

  const { incidents, otherChanges, isCapped } = await read(person);
  expect([incidents.length, otherChanges, isCapped]).toEqual([1, 1, false]);
  const [incident] = incidents;
  expect(incident?.pages).toBe(3);
  expect(incident?.summary).toMatch(/^Visible text “.*” (added|removed) on 3 pages, and 1 more thing$/);
  expect(incident?.common.map(({ sign, text }) => `${sign} ${text}`).sort()).toEqual([
    "+ Jobs and careers at our company",
    "- Careers",
  ]);
  expect(incident?.changes.map(({ job, own }) => [job, own])).toEqual([
    ["Home", 0],
    ["Shop", 0],
    ["Blog", 1],
  ]);
  expect(incident?.changes.every(({ severity }) => severity === incident.severity)).toBe(true);
  expect((await read(person, "?days=30")).incidents).toHaveLength(1);
  // Home was first, Blog and Other have more than it; Shop waits for the closing message.
  const { db } = engine.app;
  const alerted = (table: "deliveries" | "joined_alerts") =>
    db
      .selectFrom(table)
      .innerJoin("notifications", "notifications.id", `${table}.notification_id`)
      .select("title")
      .where(`${table}.account_id`, "=", person.accountId)
      .orderBy("title")
      .execute();
  await engine.waitFor("all alerts", async () => (await alerted("deliveries")).length >= 3);
  expect([await alerted("deliveries"), await alerted("joined_alerts")]).toEqual([
    [{ title: "Blog" }, { title: "Home" }, { title: "Other" }],
    [{ title: "Shop" }],
  ]);
});

test("incidents are split and merged by hand, marked as noise for all pages, and that is undone", async () => {
  const person = await engine.person();
  const { page } = engine.site;
  page.html = html(...story, "Careers");
  const jobs: string[] = [];
  for (const name of ["Home", "Shop", "Blog"]) jobs.push(await person.createJob({ name }));
  for (const job of jobs) await person.execution(job, 1);
  page.html = html(...story, "Jobs and careers");
  for (const job of jobs) await person.run(job);
  const [incident] = (await read(person)).incidents;
  const path = `/api/incidents/${incident?.id}`;
  const executionIds = incident?.changes.map(({ executionId }) => executionId) ?? [];

  const all = await person.call("POST", `${path}/split`, { executionIds });
  expect([all.status, all.body.message]).toEqual([409, expect.stringContaining("Leave at least one in it")]);
  const split = await person.call("POST", `${path}/split`, { executionIds: executionIds.slice(0, 2) });
  expect(split.body.message).toBe("2 changes moved to a new incident.");
  const two = (await read(person)).incidents;
  expect(two.map(({ pages }) => pages).toSorted((a, b) => a - b)).toEqual([1, 2]);
  const other = two.find(({ id }) => id !== incident?.id);
  const merged = await person.call("POST", `${path}/merge`, { incidentIds: [other?.id] });
  expect(merged.body.message).toBe("2 changes added to the incident.");
  expect((await read(person)).incidents).toMatchObject([{ id: incident?.id, pages: 3 }]);

  expect((await person.call("POST", `${path}/noise`)).status).toBe(200);
  const noiseOf = async () => (await read(person)).incidents[0]?.noise;
  await engine.waitFor("all to be marked", async () => (await noiseOf())?.pending === 0);
  expect(await noiseOf()).toEqual({ wanted: 3, pending: 0, failed: 0 });
  const [home = ""] = jobs;
  const learned = async () => (await person.call("GET", `/api/jobs/${home}/noise`)).body;
  expect(JSON.stringify(await learned())).toContain("Jobs and careers");
  page.html = html(...story, "Careers");
  expect(await person.run(home)).toMatchObject({ changed: false });

  expect((await person.call("DELETE", `${path}/noise`)).status).toBe(200);
  await engine.waitFor("all to be unmarked", async () => (await noiseOf())?.wanted === 0);
  await engine.waitFor("the end", async () => (await noiseOf())?.pending === 0);
  expect(JSON.stringify(await learned())).not.toContain("Jobs and careers");
  page.html = html(...story, "Jobs and careers");
  expect(await person.run(home)).toMatchObject({ changed: true });

  const { entries } = (await person.call("GET", "/api/me/audit")).body as unknown as {
    entries: { action: string; about: string | null }[];
  };
  expect(entries.filter(({ action }) => action.startsWith("incident"))).toEqual(
    ["incident-noise-undone", "incident-noise-marked", "incidents-merged", "incident-split"].map((action) =>
      expect.objectContaining({ action, about: expect.stringMatching(/Blog|Shop/) }),
    ),
  );

  const stranger = await engine.person();
  for (const [method, url, body] of [
    ["POST", `${path}/split`, { executionIds: executionIds.slice(0, 1) }],
    ["POST", `${path}/merge`, { incidentIds: [incident?.id] }],
    ["POST", `${path}/noise`, undefined],
    ["DELETE", `${path}/noise`, undefined],
  ] as const)
    expect((await stranger.call(method, url, body)).status).toBe(404);
  expect((await read(person)).incidents).toMatchObject([{ pages: 3 }]);
});

test("Z2 nobody sees the incidents of another account", async () => {
  const stranger = await engine.person();
  expect(await read(stranger)).toEqual({ incidents: [], otherChanges: 0, isCapped: false });
});

test.each(["?days=0", "?days=31", "?days=x"])("a period of %s is refused", async (query) => {
  const person = await engine.person();
  expect((await person.call("GET", `/api/incidents${query}`)).status).toBe(400);
});
