import { beforeAll, describe, expect, it } from "vitest";
import { channels } from "#channels/channel-list.ts";
import { listUsage } from "#retention/delete-history.ts";
import { type SharedApp, sharedApp } from "#server/testing/test-app.ts";
import { lockAccount } from "#storage/subscriptions.ts";
import { applyPlan } from "./apply-plan.ts";
import { planById } from "./plans.ts";

let t: SharedApp;
beforeAll(async () => {
  t = await sharedApp();
});

const paidChannels = Object.values(channels).flatMap(({ from, name }) => (from === "basic" ? [] : [name]));

type Person = Awaited<ReturnType<SharedApp["addAccount"]>>;
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

async function createWatcher(jobs: { frequency: number; group?: number }[]) {
  const person = await t.addAccount();
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
const describeJobs = (jobs: Job[]) =>
  jobs.map(({ name, status, frequencyMinutes }) => `${name} ${status} ${frequencyMinutes}`);

describe("a downgrade and a later upgrade", () => {
  it("an upgrade restores the jobs as they were, and each step is announced by mail and in the feed", async () => {
    const { person, list } = await createWatcher([
      { frequency: 5 },
      { frequency: 60, group: 1 },
      { frequency: 20 },
      { frequency: 240 },
      { frequency: 10, group: 1 },
      { frequency: 60 },
    ]);
    const paused = (await list())[2]?.id;
    await t.call("PATCH", `/api/jobs/${paused}/PAUSED`, undefined, { token: person.token });
    const before = describeJobs(await list());
    expect((await get(person, "/api/payment/subscription")).onBasic).toEqual({
      inactiveJobs: 2,
      slowedJobs: 2,
      pausedTriggers: 0,
      pausedChannels: paidChannels,
    });
    await post(person, "/api/payment/cancel", {});
    expect((await t.mailTo(person.email, 2)).text).toContain(
      `What this will mean: 2 jobs over the limit are inactive, the oldest keep running; 2 jobs are checked less often; ${paidChannels.slice(0, -1).join(", ")}, and ${paidChannels.at(-1)} alerts are paused, email alerts continue.`,
    );
    expect(describeJobs(await list())).toEqual(before);
    await advance(person, 32);
    expect(describeJobs(await list())).toEqual([
      "job 0 ACTIVE 60",
      "job 1 INACTIVE 60",
      "job 2 PAUSED 60",
      "job 3 ACTIVE 240",
      "job 4 INACTIVE 60",
      "job 5 ACTIVE 60",
    ]);
    expect((await t.mailTo(person.email, 3)).text).toContain(
      "What this means: 2 jobs over the limit are inactive",
    );
    const inactive = (await list())[4]?.id;
    const refused = await t.call("PATCH", `/api/jobs/${inactive}/ACTIVE`, undefined, { token: person.token });
    expect([refused.status, refused.body.code]).toEqual([403, "PLAN_LIMIT_REACHED"]);

    await pay(person, "ultimate");
    expect(describeJobs(await list())).toEqual(before);
    const mail = await t.mailTo(person.email, 4);
    expect(mail.text).toContain("2 inactive jobs are active again.");
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

  it("reactivated jobs are due at once, and slowed jobs after their new interval", async () => {
    const { person, list, id } = await createWatcher(Array.from({ length: 5 }, () => ({ frequency: 5 })));
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

  it("each affected job's log says what the plan changed and why", async () => {
    const { person, list } = await createWatcher(Array.from({ length: 5 }, () => ({ frequency: 5 })));
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
    const { person } = await createWatcher([{ frequency: 5 }, { frequency: 5, group: 1 }]);
    expect((await get(person, "/api/payment/subscription")).usage).toEqual([
      { name: "groups", used: 2, limit: 20 },
      { name: "jobs", used: 2, limit: 400 },
      { name: "triggers", used: 0, limit: null },
      { name: "storage", used: 0, limit: 100 * 1024 ** 3 },
    ]);
  });
});

describe("the history of an account", () => {
  const changePlan = async (id: string, planId: string) =>
    t.app.db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, id);
      if (account) await applyPlan(tx, account, planById(planId));
    });
  const retentionPlanOf = async (id: string) =>
    (await listUsage(t.app.db, "00000000-0000-0000-0000-000000000000", 1000)).find((row) => row.id === id)
      ?.plan_id;
  const accountOf = async (person: Person) => String((await get(person, "/api/me")).id);

  it("is retained by the larger plan's rules after a downgrade, until that plan would have deleted it", async () => {
    const id = await accountOf(await t.addAccount());
    await changePlan(id, "ultimate");
    expect(await retentionPlanOf(id)).toBe("ultimate");
    await changePlan(id, "basic");
    expect(await retentionPlanOf(id)).toBe("ultimate");
    await changePlan(id, "professional");
    expect(await retentionPlanOf(id)).toBe("ultimate");
    await changePlan(id, "basic");
    expect(await retentionPlanOf(id)).toBe("ultimate");
    const { kept_until } = await t.app.db
      .selectFrom("accounts")
      .select("kept_until")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(Math.round(((kept_until?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(365);
    await t.app.db.updateTable("accounts").set({ kept_until: new Date() }).where("id", "=", id).execute();
    expect(await retentionPlanOf(id)).toBe("basic");
    await changePlan(id, "professional");
    await changePlan(id, "basic");
    expect(await retentionPlanOf(id)).toBe("professional");
  });

  it("is retained by the new plan's rules after an upgrade to a still larger plan", async () => {
    const id = await accountOf(await t.addAccount());
    await changePlan(id, "professional");
    await changePlan(id, "basic");
    await changePlan(id, "ultimate");
    expect(await retentionPlanOf(id)).toBe("ultimate");
  });
});
