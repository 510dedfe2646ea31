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
});

test("Z2 nobody sees the incidents of another account", async () => {
  const stranger = await engine.person();
  expect(await read(stranger)).toEqual({ incidents: [], otherChanges: 0, isCapped: false });
});

test.each(["?days=0", "?days=31", "?days=x"])("a period of %s is refused", async (query) => {
  const person = await engine.person();
  expect((await person.call("GET", `/api/incidents${query}`)).status).toBe(400);
});
