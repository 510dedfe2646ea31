import type { Actor } from "#contract/actor.ts";
import { findFreeName } from "#contract/job-name.ts";
import { readSettings } from "#storage/job-settings.ts";
import { listJobs } from "#storage/jobs.ts";
import { createJob } from "./create-job.ts";
import type { Deps } from "./deps.ts";
import { ownJob } from "./read-job.ts";

/** Copies a job within its group, with all its settings and secrets but without its history. */
export async function cloneJob(deps: Deps, actor: Actor, id: string): Promise<string> {
  const job = await ownJob(deps, actor, id);
  const names = new Set((await listJobs(deps.db, actor.accountId, job.group_id)).map(({ name }) => name));
  return createJob(deps, actor, {
    name: findFreeName(job.name, (name) => names.has(name), " copy"),
    url: job.url,
    frequency: job.frequency_minutes,
    groupId: job.group_id,
    ...readSettings(deps.secrets, job),
  });
}
