import { beforeAll, expect, test } from "vitest";
import type { TestEngine } from "#checks/testing/engine.ts";
import { sendImport } from "#server/testing/send-import.ts";
import { crawlEngine, openShop, watchSite } from "#sites/testing/watch-site.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await crawlEngine();
});

type Rule = { id: string; value: string; jobs: number; retired: number; maxJobs: number };
type Person = Awaited<ReturnType<TestEngine["person"]>>;

const rulesOf = async ({ call }: Pick<Person, "call">, jobId: string) =>
  (await call("GET", `/api/jobs/${jobId}/site/rules`)).body.rules as unknown as Rule[];

async function watchWithRule() {
  const shop = await openShop({ sections: 2, perSection: 4, traps: [] });
  const job = await watchSite(engine, shop);
  const input = {
    by: "template",
    value: "/section-{n}/item/{n}",
    groupId: job.groupId,
    maxJobs: 3,
    frequency: 60,
  };
  const saved = await job.call("POST", `/api/jobs/${job.id}/site/rules`, input);
  return { ...job, shop, input, ruleId: String(saved.body.id) };
}

test("a rule is changed: the trial says what that does, and jobs that it is no longer about are paused", async () => {
  const { call, id, groupId, input, ruleId } = await watchWithRule();
  const narrower = { ...input, by: "pattern", value: "/section-0/item/0", maxJobs: 5 };
  const trial = await call("POST", `/api/jobs/${id}/site/rules/try?ruleId=${ruleId}`, narrower);
  const plans = (trial.body.jobs as unknown as { plan: string }[]).map(({ plan }) => plan);
  expect(plans).toEqual(["keep", "retire", "retire"]);
  const unknown = "00000000-0000-4000-8000-000000000000";
  for (const path of [`try?ruleId=${unknown}`, unknown])
    expect(
      (await call(path === unknown ? "PUT" : "POST", `/api/jobs/${id}/site/rules/${path}`, narrower)).status,
    ).toBe(404);
  const stranger = await engine.person();
  expect((await stranger.call("PUT", `/api/jobs/${id}/site/rules/${ruleId}`, input)).status).toBe(404);
  const strangers = { ...narrower, groupId: stranger.groupId };
  expect((await call("PUT", `/api/jobs/${id}/site/rules/${ruleId}`, strangers)).status).toBe(404);
  expect(await rulesOf({ call }, id)).toMatchObject([{ value: input.value, jobs: 3, retired: 0 }]);
  expect((await call("PUT", `/api/jobs/${id}/site/rules/${ruleId}`, narrower)).status).toBe(200);
  expect(await rulesOf({ call }, id)).toMatchObject([
    { value: narrower.value, jobs: 1, retired: 2, maxJobs: 5 },
  ]);
  const { body } = await call("GET", `/api/jobs/groups/${groupId}`);
  const jobs = (body.Job as unknown as { id: string; status: string }[]).filter((job) => job.id !== id);
  expect(jobs.map(({ status }) => status).sort()).toEqual(["ACTIVE", "PAUSED", "PAUSED"]);
});

test("an archive has the rules of sites, which know their jobs again and make none twice", async () => {
  const owner = await watchWithRule();
  const scope = await owner.createJob({ name: "Scope list", url: owner.shop.url("/about") });
  await owner.execution(scope, 1);
  const site = {
    ...((await owner.call("GET", `/api/jobs/${owner.id}`)).body.site as unknown as object),
    scope,
  };
  expect((await owner.call("PATCH", `/api/jobs/${owner.id}`, { site })).status).toBe(200);
  const archive = (await owner.call("GET", "/api/export")).raw;
  const person = await engine.person();
  const trial = await sendImport(engine, person, new Uint8Array(archive), true);
  const added = "The rule for /section-{n}/item/{n} is added. It is applied after the next crawl.";
  expect(trial).toMatchObject({ status: 200, body: { channels: expect.arrayContaining([added]) } });
  await sendImport(engine, person, new Uint8Array(archive));
  const { jobs } = (await person.call("GET", "/api/jobs")).body as unknown as {
    jobs: { id: string; name: string; url: string }[];
  };
  const imported = jobs.filter(({ url }) => url === owner.shop.url("/"));
  expect(imported).toHaveLength(1);
  const id = imported[0]?.id ?? "";
  const list = jobs.find(({ name }) => name === "Scope list");
  expect((await person.call("GET", `/api/jobs/${id}`)).body).toMatchObject({ site: { scope: list?.id } });
  expect(await rulesOf(person, id)).toMatchObject([{ value: owner.input.value, jobs: 3, retired: 0 }]);
  await person.call("PATCH", `/api/jobs/${id}`, { site: { ...site, scope: null } });
  await person.run(id);
  await engine.waitFor("the rule’s turn", async () => {
    const waiting = await engine.app.db
      .selectFrom("site_runs")
      .select("state")
      .where("job_id", "=", id)
      .execute();
    return waiting.some(({ state }) => state === "recorded");
  });
  const after = (await person.call("GET", "/api/jobs")).body.jobs as unknown as unknown[];
  expect(after).toHaveLength(jobs.length);
});
