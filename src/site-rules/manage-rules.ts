import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { SiteRuleInput, SiteRules, SiteRuleTrial } from "#contract/site-rule.ts";
import type { Deps } from "#jobs/deps.ts";
import { assertFrequencyAllowed, takeQuota } from "#plans/plan-limits.ts";
import { findSiteJob } from "#sites/read-site.ts";
import { findGroup } from "#storage/groups.ts";
import { deleteSiteRule, insertSiteRule, listMadeJobs, listSiteRules } from "#storage/site-rules.ts";
import { applyRule } from "./apply-rules.ts";
import { chooseJobs } from "./choose-jobs.ts";
import { listCandidates } from "./list-candidates.ts";
import { nameOfPage, toRuleInput } from "./rule-input.ts";

const maxRules = 20;
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
  const made = ruleId ? await listMadeJobs(deps.db, ruleId) : [];
  const { matching, make, keep, retire, revive } = chooseJobs(
    input,
    await listCandidates(deps.db, job.id),
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
  if (rules.length >= maxRules) throw new AppError("INVALID_INPUT", `A site has at most ${maxRules} rules.`);
  const id = await insertSiteRule(deps.db, {
    job_id: job.id,
    account_id: actor.accountId,
    group_id: input.groupId,
    by: input.by,
    value: input.value,
    max_jobs: input.maxJobs,
    sample: input.sample,
    frequency_minutes: input.frequency,
  });
  const rule = (await listSiteRules(deps.db, actor.accountId, job.id)).find((row) => row.id === id);
  if (rule) await applyRule(deps, actor, rule, await listCandidates(deps.db, job.id));
  return id;
}

/** Removes a rule. Its jobs stay, and are from then on like any others. */
export async function removeSiteRule(deps: Deps, actor: Actor, jobId: string, ruleId: string): Promise<void> {
  const job = await findSiteJob(deps, actor, jobId);
  if (!(await deleteSiteRule(deps.db, actor.accountId, job.id, ruleId))) throw new AppError("NOT_FOUND");
}
