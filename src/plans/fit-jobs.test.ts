import { describe, expect, it } from "vitest";
import { fitJobs } from "./fit-jobs.ts";
import type { HeldJob } from "./plan-holds.ts";
import { planById } from "./plans.ts";

const basic = planById("basic");
const professional = planById("professional");
const ultimate = planById("ultimate");

const job = (id: string, values: Partial<HeldJob> = {}): HeldJob => ({
  id,
  group_id: "g",
  status: "ACTIVE",
  frequency_minutes: 60,
  triggered: false,
  held: null,
  ...values,
});

/** Returns the jobs as they are after the plan is applied. */
function apply(jobs: HeldJob[], plan = basic): HeldJob[] {
  const { changes } = fitJobs(jobs, plan);
  return jobs.map((one) => {
    const found = changes.find(({ before }) => before.id === one.id);
    if (!found) return one;
    const { before: _, ...change } = found;
    return { ...one, ...change };
  });
}

describe("a downgrade", () => {
  it("keeps the oldest jobs and makes the others inactive, whatever their status", () => {
    const jobs = [
      job("1", { status: "PAUSED" }),
      job("2"),
      job("3", { status: "DISABLED", group_id: "h" }),
      job("4", { status: "INTERRUPTED" }),
      job("5", { status: "PAUSED" }),
      job("6", { group_id: "h" }),
    ];
    const after = apply(jobs);
    expect(after.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "1 PAUSED",
      "2 ACTIVE",
      "3 INACTIVE",
      "4 INTERRUPTED",
      "5 PAUSED",
      "6 INACTIVE",
    ]);
    expect(fitJobs(jobs, basic)).toMatchObject({ inactiveJobs: 2, slowedJobs: 0, restoredJobs: 0 });
    expect(apply(after, professional)).toEqual(jobs);
  });

  it("raises intervals to the plan's minimum and remembers the original ones", () => {
    const jobs = [5, 20, 59, 60, 1440].map((frequency_minutes) =>
      job(`${frequency_minutes}`, { frequency_minutes }),
    );
    const after = apply(jobs);
    expect(after.map((one) => one.frequency_minutes)).toEqual([60, 60, 60, 60, 1440]);
    expect(fitJobs(jobs, basic).slowedJobs).toBe(3);
    expect(apply(after, ultimate)).toEqual(jobs);
    expect(apply(after, professional).map((one) => one.frequency_minutes)).toEqual([20, 20, 59, 60, 1440]);
  });

  it("in steps has the same result as a direct one, and so has the upgrade", () => {
    const jobs = Array.from({ length: 7 }, (_, i) => job(`${i}`, { frequency_minutes: 5 * (i + 1) }));
    const bySteps = apply(apply(jobs, professional), basic);
    expect(bySteps).toEqual(apply(jobs, basic));
    expect(apply(apply(bySteps, professional), ultimate)).toEqual(jobs);
  });

  it("limits the jobs in each group too", () => {
    const jobs = Array.from({ length: 25 }, (_, i) => job(`${i}`, { group_id: i < 22 ? "full" : "other" }));
    const { changes, inactiveJobs } = fitJobs(jobs, professional);
    expect(inactiveJobs).toBe(2);
    expect(changes.map(({ before }) => before.id)).toEqual(["20", "21"]);
  });

  it("limits the groups too: of twenty full ones, fifteen stay active", () => {
    const jobs = Array.from({ length: 400 }, (_, i) => job(`${i}`, { group_id: `${i % 20}` }));
    const after = apply(jobs, professional);
    const active = after.filter(({ status }) => status === "ACTIVE");
    expect(active).toHaveLength(15 * 20);
    expect(new Set(active.map(({ group_id }) => group_id)).size).toBe(15);
    expect(apply(after, ultimate)).toEqual(jobs);
  });

  it("counts the triggers to pause only among the jobs that stay active", () => {
    const jobs = Array.from({ length: 6 }, (_, i) => job(`${i}`, { triggered: i > 0 }));
    expect(fitJobs(jobs, basic).pausedTriggers).toBe(2);
    expect(fitJobs(jobs, professional).pausedTriggers).toBe(0);
  });

  it("changes nothing if all jobs fit the plan", () => {
    expect(fitJobs([job("1"), job("2", { status: "INACTIVE" })], basic)).toEqual({
      changes: [],
      inactiveJobs: 0,
      slowedJobs: 0,
      pausedTriggers: 0,
      restoredJobs: 0,
    });
  });
});

describe("a user's own changes after a downgrade", () => {
  it("a frequency that the user chose stays after an upgrade", () => {
    const [slowed] = apply([job("1", { frequency_minutes: 5 })]);
    const chosen = { ...(slowed as HeldJob), frequency_minutes: 120 };
    expect(apply([chosen], ultimate)).toEqual([{ ...chosen, held: null }]);
  });

  it("a job that the user disabled stays disabled after an upgrade", () => {
    const after = apply(Array.from({ length: 5 }, (_, i) => job(`${i}`)));
    const chosen = after.map((one) => (one.id === "4" ? { ...one, status: "DISABLED" as const } : one));
    expect(apply(chosen, professional)[4]).toMatchObject({ status: "DISABLED", held: null });
  });

  it("the oldest inactive job becomes active when another job is deleted", () => {
    const after = apply(Array.from({ length: 6 }, (_, i) => job(`${i}`)));
    expect(apply(after.slice(1)).map((one) => one.status)).toEqual([
      "ACTIVE",
      "ACTIVE",
      "ACTIVE",
      "ACTIVE",
      "INACTIVE",
    ]);
  });
});
