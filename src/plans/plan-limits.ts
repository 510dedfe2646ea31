import { AppError } from "#contract/errors.ts";
import { minimumGapMinutes, type Timetable } from "#scheduling/timetable.ts";
import type { Database } from "#storage/database.ts";
import { lockQuota } from "#storage/jobs.ts";
import { type Plan, planById, plans } from "./plans.ts";

export type Quota = {
  plan: Plan;
  groups: number;
  jobs: { id: string; group_id: string; triggered: boolean }[];
};

/** Locks the account, so that the counts stay valid until the transaction ends. */
export async function takeQuota(tx: Database, accountId: string): Promise<Quota> {
  const quota = await lockQuota(tx, accountId);
  if (!quota) throw new AppError("UNAUTHENTICATED");
  return { ...quota, plan: planById(quota.planId) };
}

export function assertGroupAllowed({ plan, groups }: Quota): void {
  if (groups < plan.groups) return;
  refuse(
    plan,
    `${count(plan.groups, "group")}`,
    (other) => other.groups > groups,
    (other) => count(other.groups, "group"),
  );
}

/** Refuses a job in a group beyond the plan's limits; `exceptId` is a job that isn't counted. */
export function assertJobAllowed({ plan, jobs }: Quota, groupId: string, exceptId?: string): void {
  const others = jobs.filter((job) => job.id !== exceptId);
  const inGroup = others.filter((job) => job.group_id === groupId).length;
  if (plan.jobs !== null && others.length >= plan.jobs) {
    refuse(plan, count(plan.jobs, "job"), (other) => other.jobs === null, perGroup);
  }
  const otherGroups = new Set(others.map((job) => job.group_id).filter((id) => id !== groupId)).size;
  if (otherGroups >= plan.groups) {
    refuse(
      plan,
      count(plan.groups, "group"),
      (other) => other.groups > otherGroups,
      (other) => count(other.groups, "group"),
    );
  }
  if (inGroup >= plan.jobsPerGroup) {
    refuse(plan, perGroup(plan), (other) => other.jobsPerGroup > inGroup, perGroup);
  }
}

export function assertFrequencyAllowed({ plan }: Quota, minutes: number): void {
  if (minutes >= plan.minimumMinutes) return;
  refuseInterval(plan, minutes);
}

/** Refuses a cron line with two runs closer together than the plan allows. */
export function assertTimetableAllowed({ plan }: Quota, timetable: Timetable): void {
  const minutes = minimumGapMinutes(timetable, new Date());
  if (minutes >= plan.minimumMinutes) return;
  refuseInterval(
    plan,
    minutes,
    `, but this cron line runs twice within ${count(minutes, "minute")}`,
    "schedule.cron",
  );
}

export function assertTriggerAllowed({ plan, jobs }: Quota, exceptId?: string): void {
  const triggers = jobs.filter((job) => job.triggered && job.id !== exceptId).length;
  if (plan.triggers === null || triggers < plan.triggers) return;
  refuse(
    plan,
    count(plan.triggers, "HTTP trigger"),
    (other) => other.triggers === null,
    () => "one on any job",
  );
}

export function assertLookupAllowed({ plan }: Quota): void {
  if (!plan.textLookup)
    refuse(
      plan,
      "no text lookup",
      (other) => other.textLookup,
      () => "it",
    );
}

export function assertIdentitiesAllowed({ plan }: { plan: Plan }): void {
  if (!plan.identities)
    refuse(
      plan,
      "no identities",
      (other) => other.identities,
      () => "them",
      "identity",
    );
}

export function assertSiteAllowed({ plan }: Quota, maxPages: number): void {
  if (maxPages <= plan.sitePages) return;
  const pages = (other: Plan) => `${other.sitePages.toLocaleString("en")} pages of a site`;
  refuse(plan, pages(plan), (other) => other.sitePages >= maxPages, pages, "site.maxPages");
}

export function assertReportsAllowed(plan: Plan): void {
  if (!plan.reports)
    refuse(
      plan,
      "no reports",
      (other) => other.reports,
      () => "them",
    );
}

function refuseInterval(plan: Plan, minutes: number, reason = "", field?: string): never {
  const better = findBetter(plan, (other) => other.minimumMinutes <= minutes);
  const way = better ? ` On the ${better.name} plan it’s ${count(better.minimumMinutes, "minute")}.` : "";
  const limit = `The ${plan.name} plan’s minimum interval is ${count(plan.minimumMinutes, "minute")}`;
  throw new AppError("PLAN_LIMIT_REACHED", `${limit}${reason}.${way}`, field ? { field } : {});
}

const findBetter = (plan: Plan, lifts: (other: Plan) => boolean) =>
  plans.find((other) => other.priceCents > plan.priceCents && lifts(other));

function refuse(
  plan: Plan,
  limit: string,
  lifts: (other: Plan) => boolean,
  allows: (other: Plan) => string,
  field?: string,
): never {
  const better = findBetter(plan, lifts);
  const way = better ? ` The ${better.name} plan allows ${allows(better)}.` : "";
  throw new AppError(
    "PLAN_LIMIT_REACHED",
    `The ${plan.name} plan allows ${limit}.${way}`,
    field ? { field } : {},
  );
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const perGroup = (plan: Plan) => `${count(plan.jobsPerGroup, "job")} per group`;
