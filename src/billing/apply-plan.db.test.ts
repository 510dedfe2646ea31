import { beforeAll, describe, expect, it } from "vitest";
import { channels } from "#contract/channels.ts";
import { planById } from "#contract/plans.ts";
import { type SharedApp, sharedApp } from "#server/testing/test-app.ts";
import { listUsage } from "#storage/retention.ts";
import { lockAccount } from "#storage/subscriptions.ts";
import { applyPlan } from "./apply-plan.ts";

let t: SharedApp;
beforeAll(async () => {
  t = await sharedApp();
});

const paidChannels = Object.values(channels).flatMap(({ from, name }) => (from === "basic" ? [] : [name]));

type Person = Awaited<ReturnType<SharedApp["signUp"]>>;
const get = async (person: Person, path: string) =>
  (await t.call("GET", path, undefined, { token: person.token })).body;
const post = (person: Person, path: string, body: object) =>
  t.call("POST", path, body, { token: person.token });
const pay = async (person: Person, plan: string) =>
  post(person, "/api/payment/sandbox/complete", {
    token: (await get(person, `/api/payment/prepare/${plan}`)).token,
  });
const advance = (person: Person, days: number) => post(person, "/api/payment/sandbox/advance", { days });

type Job = { id: string; name: string; status: string; frequencyMinutes: number };

async function watcher(jobs: { frequency: number; group?: number }[]) {
  const person = await t.signUp();
  await pay(person, "ultimate");
  const groups: string[] = [];
  for (const name of ["first", "second"]) {
    groups.push(String((await post(person, "/api/jobs/groups", { name })).body.id));
  }
  for (const [i, { frequency, group = 0 }] of jobs.entries()) {
    const body = { name: `job ${i}`, url: `https://1.1.1.1/${i}`, frequency, groupId: groups[group] };
    expect((await post(person, "/api/jobs/create", body)).status).toBe(200);
  }
  const list = async (): Promise<Job[]> => {
    const found: Job[] = [];
    for (const id of groups)
      found.push(...((await get(person, `/api/jobs/groups/${id}`)).Job as unknown as Job[]));
    return found.toSorted((a, b) => a.name.localeCompare(b.name));
  };
  return { person, groups, list, id: String((await get(person, "/api/me")).id) };
}
const brief = (jobs: Job[]) =>
  jobs.map(({ name, status, frequencyMinutes }) => `${name} ${status} ${frequencyMinutes}`);

describe("a downgrade and the way back", () => {
  it("with the jobs intact, told before and after by mail and in the feed", async () => {
    const { person, list } = await watcher([
      { frequency: 5 },
      { frequency: 60, group: 1 },
      { frequency: 20 },
      { frequency: 240 },
      { frequency: 10, group: 1 },
      { frequency: 60 },
    ]);
    const paused = (await list())[2]?.id;
    await t.call("PATCH", `/api/jobs/${paused}/PAUSED`, undefined, { token: person.token });
    const before = brief(await list());
    expect((await get(person, "/api/payment/subscription")).onBasic).toEqual({
      inactiveJobs: 2,
      slowedJobs: 2,
      pausedTriggers: 0,
      pausedChannels: paidChannels,
    });
    await post(person, "/api/payment/cancel", {});
    expect((await t.mailTo(person.email, 3)).text).toContain(
      `What that will mean: 2 jobs over the limit are inactive, the oldest keep running; 2 jobs are checked less often; ${paidChannels.slice(0, -1).join(", ")} and ${paidChannels.at(-1)} alerts are paused, e-mail alerts go on.`,
    );
    expect(brief(await list())).toEqual(before);
    await advance(person, 32);
    expect(brief(await list())).toEqual([
      "job 0 ACTIVE 60",
      "job 1 INACTIVE 60",
      "job 2 PAUSED 60",
      "job 3 ACTIVE 240",
      "job 4 INACTIVE 60",
      "job 5 ACTIVE 60",
    ]);
    expect((await t.mailTo(person.email, 4)).text).toContain(
      "What that means: 2 jobs over the limit are inactive",
    );
    const inactive = (await list())[4]?.id;
    const refused = await t.call("PATCH", `/api/jobs/${inactive}/ACTIVE`, undefined, { token: person.token });
    expect([refused.status, refused.body.code]).toEqual([403, "PLAN_LIMIT_REACHED"]);

    await pay(person, "ultimate");
    expect(brief(await list())).toEqual(before);
    const mail = await t.mailTo(person.email, 5);
    expect(mail.text).toContain("2 jobs that rested are back at work.");
    const feed = (await get(person, "/api/notifications")).notifications as unknown as {
      kind: string;
      title: string;
    }[];
    expect(feed.filter(({ kind }) => kind === "plan").map(({ title }) => title)).toEqual([
      "You are on the Ultimate plan",
      "You are on the Basic plan now",
      expect.stringMatching(/^Your Ultimate plan ends on /),
      "You are on the Ultimate plan",
    ]);
    const rows = await t.app.db.selectFrom("plan_holds").selectAll().execute();
    expect(rows).toEqual([]);
  });

  it("jobs that come back are due at once, those that slow down in a new rhythm", async () => {
    const { person, list, id } = await watcher(Array.from({ length: 5 }, () => ({ frequency: 5 })));
    const due = async () => {
      const rows = await t.app.db
        .selectFrom("jobs")
        .innerJoin("schedules", "schedules.job_id", "jobs.id")
        .select(["name", "next_run_at"])
        .where("jobs.account_id", "=", id)
        .orderBy("name")
        .execute();
      return rows.map((row) => (row.next_run_at.getTime() - Date.now()) / 60_000);
    };
    await post(person, "/api/payment/cancel", {});
    await advance(person, 32);
    expect((await due())[0]).toBeGreaterThan(59);
    await pay(person, "ultimate");
    expect((await list()).map((job) => job.status)).toEqual(Array(5).fill("ACTIVE"));
    expect((await due())[4]).toBeLessThan(0.1);
    expect((await due())[0]).toBeGreaterThan(4);
  });

  it("a log line says why", async () => {
    const { person, list } = await watcher(Array.from({ length: 5 }, () => ({ frequency: 5 })));
    await post(person, "/api/payment/cancel", {});
    await advance(person, 32);
    const logsOf = async (job: Job | undefined) => {
      const { body } = await t.call("GET", `/api/jobs/${job?.id}/logs`, undefined, { token: person.token });
      return (body as unknown as { meta: string }[])[0]?.meta;
    };
    const jobs = await list();
    expect(await logsOf(jobs[0])).toBe("Every 60 minutes by the Basic plan");
    expect(await logsOf(jobs[4])).toBe("Inactive: over the Basic plan's limits");
  });

  it("usage is counted against the plan's limits", async () => {
    const { person } = await watcher([{ frequency: 5 }, { frequency: 5, group: 1 }]);
    expect((await get(person, "/api/payment/subscription")).usage).toEqual([
      { name: "groups", used: 2, limit: 20 },
      { name: "jobs", used: 2, limit: 400 },
      { name: "triggers", used: 0, limit: null },
      { name: "storage", used: 0, limit: 100 * 1024 ** 3 },
    ]);
  });
});

describe("the history", () => {
  const settle = async (id: string, planId: string) =>
    t.app.db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, id);
      if (account) await applyPlan(tx, account, planById(planId));
    });
  const keptBy = async (id: string) =>
    (await listUsage(t.app.db, "00000000-0000-0000-0000-000000000000", 1000)).find((row) => row.id === id)
      ?.plan_id;
  const accountOf = async (person: Person) => String((await get(person, "/api/me")).id);

  it("is kept by the larger plan's rules after a downgrade, until that plan would have dropped it", async () => {
    const id = await accountOf(await t.signUp());
    await settle(id, "ultimate");
    expect(await keptBy(id)).toBe("ultimate");
    await settle(id, "basic");
    expect(await keptBy(id)).toBe("ultimate");
    await settle(id, "professional");
    expect(await keptBy(id)).toBe("ultimate");
    await settle(id, "basic");
    expect(await keptBy(id)).toBe("ultimate");
    const { kept_until } = await t.app.db
      .selectFrom("accounts")
      .select("kept_until")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(Math.round(((kept_until?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(365);
    await t.app.db.updateTable("accounts").set({ kept_until: new Date() }).where("id", "=", id).execute();
    expect(await keptBy(id)).toBe("basic");
    await settle(id, "professional");
    await settle(id, "basic");
    expect(await keptBy(id)).toBe("professional");
  });

  it("a larger plan than the kept one decides again", async () => {
    const id = await accountOf(await t.signUp());
    await settle(id, "professional");
    await settle(id, "basic");
    await settle(id, "ultimate");
    expect(await keptBy(id)).toBe("ultimate");
  });
});
