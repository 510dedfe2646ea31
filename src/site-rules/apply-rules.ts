import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { NewJob } from "#contract/job.ts";
import { createJob } from "#jobs/create-job.ts";
import type { Deps } from "#jobs/deps.ts";
import { setJobStatus } from "#jobs/set-job-status.ts";
import type { Tasks } from "#queue/tasks.ts";
import { findJobToRun } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import {
  listMadeJobs,
  listSiteRules,
  putMadeJob,
  type SiteRuleRow,
  setRuleProblem,
} from "#storage/site-rules.ts";
import { type CandidatePage, chooseJobs, type MadeJob } from "./choose-jobs.ts";
import { readCandidates } from "./read-candidates.ts";
import { nameOfPage, toRuleInput } from "./rule-input.ts";

/** After a run: makes, retires and takes up the jobs that the rules of a site ask for. */
export async function applySiteRules(deps: Deps, { jobId }: Tasks["site-rules"]): Promise<void> {
  const job = await findJobToRun(deps.db, jobId);
  if (!job || job.delete_at) return;
  const rules = await listSiteRules(deps.db, job.account_id, job.id);
  if (rules.length === 0) return;
  for (const rule of rules) await applyRule(deps, { accountId: job.account_id }, rule);
}

export async function applyRule(deps: Deps, actor: Actor, rule: SiteRuleRow): Promise<void> {
  const made = await listMadeJobs(deps.db, rule.id);
  const { make, retire, revive } = await chooseJobs(
    toRuleInput(rule),
    () => readCandidates(deps.db, rule.job_id),
    made,
  );
  for (const job of retire) await retireJob(deps, actor, rule.id, job);
  const problem =
    (await untilRefused(revive, (job) => reviveJob(deps, actor, rule.id, job))) ??
    (await untilRefused(make, (page) => makeJob(deps, actor, rule, page)));
  await setRuleProblem(deps.db, rule.id, problem);
}

/** Stops at the first that the plan refuses, and returns why. */
async function untilRefused<T>(all: T[], act: (one: T) => Promise<void>): Promise<string | null> {
  for (const one of all) {
    try {
      await act(one);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.message;
    }
  }
  return null;
}

async function makeJob(deps: Deps, actor: Actor, rule: SiteRuleRow, page: CandidatePage): Promise<void> {
  const input = NewJob.parse({
    name: nameOfPage(page),
    url: page.address,
    frequency: rule.frequency_minutes,
    groupId: rule.group_id,
  });
  const id = await createJob(deps, actor, input);
  await insertLogs(deps.db, id, [{ level: "info", meta: `Created by the rule for ${rule.value}` }]);
  await putMadeJob(deps.db, rule.id, page.identity, { made_job_id: id, retired_at: null });
}

async function retireJob(
  deps: Deps,
  actor: Actor,
  ruleId: string,
  { jobId, identity }: MadeJob,
): Promise<void> {
  if (jobId === null) return;
  await setJobStatus(deps, actor, jobId, "PAUSED");
  const meta =
    "Retired: its page is gone or no longer matches the rule. The job is paused, and nothing is deleted.";
  await insertLogs(deps.db, jobId, [{ level: "warn", meta }]);
  await putMadeJob(deps.db, ruleId, identity, { retired_at: new Date() });
}

async function reviveJob(
  deps: Deps,
  actor: Actor,
  ruleId: string,
  { jobId, identity }: MadeJob,
): Promise<void> {
  if (jobId === null) return;
  await setJobStatus(deps, actor, jobId, "ACTIVE");
  await putMadeJob(deps.db, ruleId, identity, { retired_at: null });
}
