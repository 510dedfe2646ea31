import { beforeAll, expect, test } from "vitest";
import type { TestEngine } from "#checks/testing/engine.ts";
import { serve } from "#network/testing/local-site.ts";
import { createShop } from "#sites/testing/local-shop.ts";
import { crawlEngine } from "#sites/testing/watch-site.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await crawlEngine();
});

const html = { "content-type": "text/html" };

async function watchShop(plan: "basic" | "ultimate") {
  const shop = createShop({ sections: 2, perSection: 6, traps: [] });
  const { url } = await serve((request, response) => shop.listen(request, response));
  const person = await engine.person(plan);
  const id = await person.createJob({ url: url("/"), site: { perSecond: 10 } });
  const first = await person.execution(id, 1);
  const ask = (method: string, path: string, body?: object) =>
    person.call(method, `/api/jobs/${id}/site/${path}`, body);
  const jobs = async () => {
    const { body } = await person.call("GET", `/api/jobs/groups/${person.groupId}`);
    return (body.Job as unknown as { id: string; name: string; url: string; status: string }[]).filter(
      (job) => job.id !== id,
    );
  };
  const rule = {
    by: "template",
    value: "/section-{n}/item/{n}",
    groupId: person.groupId,
    maxJobs: 5,
    frequency: 60,
  };
  return { shop, url, ...person, id, first, ask, jobs, rule };
}

test("a trial says exactly which jobs a rule makes; the rule makes them, retires them and takes them up again", async () => {
  const { shop, url, ask, jobs, rule, run, id, logsOf, call } = await watchShop("ultimate");
  const trial = await ask("POST", "rules/try", rule);
  expect(trial.body).toMatchObject({
    matching: 12,
    cost: { jobs: 6, allowedJobs: null, groupJobs: 6, allowedGroupJobs: 20, checksPerDay: 120 },
    problem: null,
  });
  const planned = trial.body.jobs as unknown as { url: string; name: string; plan: string }[];
  expect(planned.map(({ plan }) => plan)).toEqual(["make", "make", "make", "make", "make"]);
  expect(await jobs()).toEqual([]);
  expect((await ask("POST", "rules", rule)).status).toBe(200);
  const made = await jobs();
  const namesByUrl = (list: { url: string; name: string }[]) =>
    Object.fromEntries(list.map((job) => [job.url, job.name]));
  expect(namesByUrl(made)).toEqual(namesByUrl(planned));

  shop.overrides.set("/section-0/item/2", { status: 410, headers: html, body: "gone" });
  await run(id);
  const paused = await engine.waitFor("the retired job", async () =>
    (await jobs()).find(({ status }) => status === "PAUSED"),
  );
  expect(paused.url).toBe(url("/section-0/item/2"));
  expect(await logsOf(paused.id)).toContainEqual(expect.stringContaining("[warn] Retired: its page is gone"));
  // Another page takes its place, as the rule asks for five.
  const six = await engine.waitFor(
    "the sixth job",
    async () => (await jobs()).length === 6 && (await jobs()),
  );
  expect(six.filter(({ status }) => status === "ACTIVE")).toHaveLength(5);
  expect((await ask("GET", "rules")).body).toMatchObject({ rules: [{ jobs: 5, retired: 1, problem: null }] });

  const [rules] = (await ask("GET", "rules")).body.rules as unknown as { id: string }[];
  expect((await ask("DELETE", `rules/${rules?.id}`)).status).toBe(200);
  expect(await jobs()).toHaveLength(6);
  const other = await engine.person();
  expect((await other.call("POST", `/api/jobs/${id}/site/rules`, rule)).status).toBe(404);
  expect(
    (await call("POST", `/api/jobs/${id}/site/rules/try`, { ...rule, groupId: other.groupId })).status,
  ).toBe(404);
});

test("a rule makes no more jobs than the plan allows, and says so", async () => {
  const { ask, jobs, rule } = await watchShop("basic");
  const problem = "The Basic plan has room for 3 of these 5 jobs in this group.";
  const trial = await ask("POST", "rules/try", rule);
  expect(trial.body).toMatchObject({ problem, cost: { jobs: 4, allowedJobs: 4 } });
  expect(trial.body.jobs).toHaveLength(3);
  await ask("POST", "rules", rule);
  expect(await jobs()).toHaveLength(3);
  expect((await ask("GET", "rules")).body).toMatchObject({
    rules: [{ jobs: 3, problem: expect.stringContaining("The Basic plan allows 4 jobs.") }],
  });
});

test("templates are addresses of one shape that are built alike, and the difference of two runs is exact", async () => {
  const { shop, url, ask, run, id, first } = await watchShop("ultimate");
  expect((await ask("GET", "templates")).body).toMatchObject({
    templates: [
      { template: "/section-{n}/item/{n}", pages: 12, skeletons: 1 },
      { template: "/section-{n}/", pages: 2 },
      { template: "/", pages: 1 },
      { template: "/about", pages: 1 },
    ],
  });
  const links = Array.from(
    { length: 70 },
    (_, n) => `<a href="/news/story-${"abcdefg"[n % 7]}${"hijklmnopq"[Math.floor(n / 7)]}">x</a>`,
  );
  shop.overrides.set("/about", {
    headers: html,
    body: `<title>About us</title><main>${links.join("")}</main>`,
  });
  const story = { headers: html, body: "<title>Story</title><main><p>Text</p><a href='/'>Home</a></main>" };
  for (const [, path = ""] of links.join("").matchAll(/href="([^"]+)"/g)) shop.overrides.set(path, story);
  const second = await run(id);
  const { body } = await ask("GET", `difference?from=${first.id}&to=${second.id}`);
  const differences = body.differences as unknown as { address: string; before: null; sentence: string }[];
  expect(differences).toHaveLength(70);
  expect(differences[0]).toMatchObject({
    address: url("/news/story-ah"),
    before: null,
    after: "200 “Story”",
    sentence: `Appeared: ${url("/news/story-ah")} “Story”`,
  });
  expect((await ask("GET", "templates")).body).toMatchObject({
    templates: [{ template: "/news/{…}", pages: 70, skeletons: 1, title: "Story" }, {}, {}, {}, {}],
  });
});
