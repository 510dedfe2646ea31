import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { maxSiteRules, type SiteRuleInput, type SiteRules, type SiteRuleTrial } from "#contract/site-rule.ts";
import type { Deps } from "#jobs/deps.ts";
import { assertFrequencyAllowed, takeQuota } from "#plans/plan-limits.ts";
import { findSiteJob } from "#sites/read-site.ts";
import { findGroup } from "#storage/groups.ts";
import {
  deleteSiteRule,
  insertSiteRule,
  listMadeJobs,
  listSiteRules,
  updateSiteRule,
} from "#storage/site-rules.ts";
import { applyRule } from "./apply-rules.ts";
import { chooseJobs } from "./choose-jobs.ts";
import { readCandidates } from "./read-candidates.ts";
import { nameOfPage, toRuleInput, toRuleRow } from "./rule-input.ts";

const minutesPerDay = 1440;

export async function readSiteRules(deps: Deps, actor: Actor, jobId: string): Promise<SiteRules> {
  const job = await findSiteJob(deps, actor, jobId);
  const rows = await listSiteRules(deps.db, actor.accountId, job.id);
  return {
    rules: rows.map((row) => ({
      ...toRuleInput(row),
      id: row.id,
      jobs: row.jobs,
      retired: row.retired,
      problem: row.problem,
    })),
  };
}

/** Says exactly which jobs a rule would make, and what they would cost of the plan. Nothing is changed. */
export async function trySiteRule(
  deps: Deps,
  actor: Actor,
  jobId: string,
  input: SiteRuleInput,
  ruleId?: string,
): Promise<SiteRuleTrial> {
  const job = await findSiteJob(deps, actor, jobId);
  const quota = await readQuota(deps, actor, input);
  const rules = ruleId ? await listSiteRules(deps.db, actor.accountId, job.id) : [];
  if (ruleId && !rules.some(({ id }) => id === ruleId)) throw new AppError("NOT_FOUND");
  const made = ruleId ? await listMadeJobs(deps.db, ruleId) : [];
  const { matching, make, keep, retire, revive } = await chooseJobs(
    input,
    () => readCandidates(deps.db, job.id),
    made,
  );
  const { plan, jobs } = quota;
  const inGroup = jobs.filter(({ group_id }) => group_id === input.groupId).length;
  const room = Math.min(
    plan.jobs === null ? Number.POSITIVE_INFINITY : Math.max(0, plan.jobs - jobs.length),
    Math.max(0, plan.jobsPerGroup - inGroup),
  );
  const fitting = make.slice(0, room);
  const isRevived = new Set(revive.map(({ identity }) => identity));
  const planned = fitting.length + keep.length;
  return {
    matching,
    jobs: [
      ...fitting.map((page) => ({ url: page.address, name: nameOfPage(page), plan: "make" as const })),
      ...keep.map((page) => ({
        url: page.address,
        name: nameOfPage(page),
        plan: isRevived.has(page.identity) ? ("revive" as const) : ("keep" as const),
      })),
      ...retire.flatMap(({ identity }) => {
        const known = made.find((one) => one.identity === identity);
        return known ? [{ url: known.url, name: known.name, plan: "retire" as const }] : [];
      }),
    ],
    cost: {
      jobs: jobs.length + fitting.length,
      allowedJobs: plan.jobs,
      groupJobs: inGroup + fitting.length,
      allowedGroupJobs: plan.jobsPerGroup,
      checksPerDay: Math.round((planned * minutesPerDay) / input.frequency),
    },
    problem:
      fitting.length < make.length
        ? `The ${plan.name} plan has room for ${fitting.length} of these ${make.length} jobs in this group.`
        : null,
  };
}

async function readQuota(deps: Deps, actor: Actor, { groupId, frequency }: SiteRuleInput) {
  return deps.db.transaction().execute(async (tx) => {
    const quota = await takeQuota(tx, actor.accountId);
    if (!(await findGroup(tx, actor.accountId, groupId)))
      throw new AppError("NOT_FOUND", "This group doesn’t exist.");
    assertFrequencyAllowed(quota, frequency);
    return quota;
  });
}

/** Stores a rule and makes its jobs of what is known of the site. */
export async function createSiteRule(
  deps: Deps,
  actor: Actor,
  jobId: string,
  input: SiteRuleInput,
): Promise<string> {
  const job = await findSiteJob(deps, actor, jobId);
  await readQuota(deps, actor, input);
  const rules = await listSiteRules(deps.db, actor.accountId, job.id);
  if (rules.length >= maxSiteRules)
    throw new AppError("INVALID_INPUT", `A site has at most ${maxSiteRules} rules.`);
  const id = await insertSiteRule(deps.db, {
    job_id: job.id,
    account_id: actor.accountId,
    ...toRuleRow(input),
  });
  await applyById(deps, actor, job.id, id);
  return id;
}

/** Changes a rule and applies it. The jobs that it has made keep their group and frequency. */
export async function changeSiteRule(
  deps: Deps,
  actor: Actor,
  { jobId, ruleId }: { jobId: string; ruleId: string },
  input: SiteRuleInput,
): Promise<void> {
  const job = await findSiteJob(deps, actor, jobId);
  await readQuota(deps, actor, input);
  const isThere = await updateSiteRule(
    deps.db,
    { accountId: actor.accountId, jobId: job.id, id: ruleId },
    toRuleRow(input),
  );
  if (!isThere) throw new AppError("NOT_FOUND");
  await applyById(deps, actor, job.id, ruleId);
}

async function applyById(deps: Deps, actor: Actor, jobId: string, ruleId: string): Promise<void> {
  const rules = await listSiteRules(deps.db, actor.accountId, jobId);
  const rule = rules.find(({ id }) => id === ruleId);
  if (rule) await applyRule(deps, actor, rule);
}

/** Removes a rule. Its jobs stay, and are from then on like any others. */
export async function removeSiteRule(deps: Deps, actor: Actor, jobId: string, ruleId: string): Promise<void> {
  const job = await findSiteJob(deps, actor, jobId);
  if (!(await deleteSiteRule(deps.db, actor.accountId, job.id, ruleId))) throw new AppError("NOT_FOUND");
}
