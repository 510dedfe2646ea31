import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { listScope } from "#checks/list-captured-links.ts";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { Route } from "#contract/route.ts";
import { type RouteName, routes } from "#contract/routes.ts";
import { openShop } from "#sites/testing/watch-site.ts";
import { fillAccount, type WalkedAccount } from "./testing/walked-account.ts";
import { type Body, fillPath, validBodies, validQueries } from "./testing/walked-inputs.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof filledPerson>>;
const url = "http://127.0.0.1:8080/x";

/** An account with one of each kind of object. */
async function filledPerson(siteUrl: string) {
  const { accountId, groupId, call, createJob, execution, run } = await engine.person();
  engine.site.page.html = html(...story);
  const jobId = await createJob();
  const { id: fromId } = await execution(jobId, 1);
  engine.site.page.html = html(...story, "More");
  const { id: executionId } = await run(jobId);
  const siteId = await createJob({ url: siteUrl, site: { perSecond: 10 } });
  const { id: crawlId } = await execution(siteId, 1);
  const jobs = { url, groupId, jobId, executionId, fromId, siteId, crawlId };
  return { accountId, call, walked: await fillAccount(call, jobs) };
}

/** Fields of bodies that name an object of the account. */
const referringFields = ({ jobId, groupId, proxyId, identityId }: WalkedAccount): Body => ({
  jobId,
  groupId,
  identityId,
  groupIds: [groupId],
  jobIds: [jobId],
  proxies: [proxyId],
  identity: identityId,
});

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const time = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";

type Call = { method: string; url: string; body: Body | undefined };

const shapeOf = (schema: unknown): object => (schema as { shape?: object } | undefined)?.shape ?? {};

/** The calls of a route: the valid one, and one for each field that refers to something. */
function* callsOf(name: RouteName, walked: WalkedAccount): Generator<Call> {
  const { method, path, body: schema }: Route = routes[name];
  const body = (validBodies(walked) as Partial<Record<RouteName, Body>>)[name];
  const query = validQueries(walked)[name];
  const filled = fillPath(path, walked) + (query ? `?${new URLSearchParams(query as never)}` : "");
  yield { method, url: filled, body };
  for (const [field, value] of Object.entries(referringFields(walked)))
    if (field in shapeOf(schema)) yield { method, url: filled, body: { ...body, [field]: value } };
  for (const field of ["jobId", "groupId"] as const)
    if (field in shapeOf((routes[name] as Route).query))
      yield { method, url: `${filled}${query ? "&" : "?"}${field}=${walked[field]}`, body };
}

const ids = (walked: WalkedAccount) =>
  Object.keys(walked).filter((key) => key !== "url") as (keyof WalkedAccount)[];

test("Z2 no call finds or changes another account's object, which looks like one that doesn't exist", {
  timeout: 900_000,
}, async () => {
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  const owner = await filledPerson(shop.url("/"));
  const stranger = await filledPerson(shop.url("/"));
  const read = async ({ walked, call }: Person) => {
    const shown: Record<string, unknown> = {};
    for (const name of steadyLists)
      for (const { url: path } of callsOf(name, walked)) shown[path] = (await call("GET", path)).body;
    const jobs = engine.app.db
      .selectFrom("jobs")
      .select(["name", "url", "group_id", "status", "settings", "selector"]);
    return { shown, jobs: await jobs.where("id", "in", [walked.jobId, walked.siteId]).execute() };
  };
  const before = await read(owner);
  const asked = new Set<string>();
  const problems: unknown[] = [];
  for (const name of Object.keys(routes) as RouteName[]) {
    if (routes[name].access !== "account" || name === "events") continue;
    const own = [...callsOf(name, stranger.walked)];
    for (const key of ids(stranger.walked)) {
      const replacedBy = (id: string) => [...callsOf(name, { ...stranger.walked, [key]: id })];
      const foreign = replacedBy(owner.walked[key]);
      const missing = replacedBy(key === "lineId" ? "999999999" : randomUUID());
      for (const [n, call] of foreign.entries()) {
        if (JSON.stringify(call) === JSON.stringify(own[n])) continue;
        asked.add(name);
        const send = async ({ method, url: path, body }: Call) => {
          const answer = await stranger.call(method, path, body);
          const text = JSON.stringify(answer.body).replace(new RegExp(`${uuid}|${time}`, "g"), "…");
          return { status: answer.status, text };
        };
        const answers = [await send(call), await send(missing[n] as Call)] as const;
        if (answers[0].status !== answers[1].status || answers[0].text !== answers[1].text)
          problems.push({ name, key, call, answers });
      }
    }
  }
  expect(problems).toEqual([]);
  const walks = (name: RouteName) =>
    (routes[name] as Route).access === "account" && /:(?!plan)\w+Id\b/.test(routes[name].path);
  expect((Object.keys(routes) as RouteName[]).filter((name) => walks(name) && !asked.has(name))).toEqual([]);
  expect(await read(owner)).toEqual(before);
  // A site may name a job that doesn't exist; its crawl then finds no scope list.
  const { jobs } = engine.app;
  expect(await listScope(jobs, owner.accountId, owner.walked.jobId)).toEqual([]);
  expect(await listScope(jobs, stranger.accountId, owner.walked.jobId)).toBeNull();
});

/** What doesn't change by itself while checks go on. */
const steadyLists = [
  "listIdentities",
  "listProxies",
  "searchAlerts",
  "savedViews",
  "listApiKeys",
  "listFeeds",
  "listShares",
  "listSchedules",
  "siteRules",
  "noise",
  "channels",
  "paces",
  "templates",
] as const satisfies RouteName[];

test("no call of an account is answered without a session", async () => {
  const person = await filledPerson("http://127.0.0.1:8080/");
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    if (route.access !== "account") continue;
    const [call] = [...callsOf(name, person.walked)];
    const answer = await engine.call(route.method, call?.url ?? "", call?.body, { ip: "198.51.100.3" });
    expect({ name, status: answer.status }).toEqual({ name, status: 401 });
  }
});
