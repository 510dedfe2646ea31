import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Job } from "#contract/job.ts";
import { listExecutions, listNewest } from "#storage/executions.ts";
import { findGroup } from "#storage/groups.ts";
import { findJob, type JobWithGroup, listJobs } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { describeJob } from "./describe-job.ts";
import { showGroupDefaults } from "./show-settings.ts";

const executionsShown = 50;

/** Finds the caller's job; someone else's job and a missing one give the same error. */
export async function ownJob(deps: Pick<Deps, "db">, actor: Actor, id: string): Promise<JobWithGroup> {
  const job = await findJob(deps.db, actor.accountId, id);
  if (!job) throw new AppError("NOT_FOUND");
  return job;
}

export async function readJob(deps: Deps, actor: Actor, id: string): Promise<Job> {
  const job = await ownJob(deps, actor, id);
  return describeJob(deps.secrets, job, await listExecutions(deps.db, id, executionsShown));
}

export async function readGroup(deps: Deps, actor: Actor, id: string) {
  const group = await findGroup(deps.db, actor.accountId, id);
  if (!group) throw new AppError("NOT_FOUND");
  const jobs = await listJobs(deps.db, actor.accountId, id);
  const executions = await listNewest(
    deps.db,
    jobs.map((job) => job.id),
    executionsShown,
  );
  const byJob = Map.groupBy(executions, (execution) => execution.job_id);
  return {
    id: group.id,
    name: group.name,
    settings: showGroupDefaults(deps.secrets, {
      handed: group.handed,
      group_id: group.id,
      group_headers_sealed: group.headers_sealed,
      group_step_secrets_sealed: group.step_secrets_sealed,
      group_timetable: group.timetable,
    }),
    Job: jobs.map((job) => describeJob(deps.secrets, job, byJob.get(job.id) ?? [])),
  };
}
