import type { Held, HeldJob, JobChange } from "./plan-holds.ts";
import type { Plan } from "./plans.ts";

export type Fit = {
  changes: Omit<JobChange, "words">[];
  inactiveJobs: number;
  slowedJobs: number;
  pausedTriggers: number;
  restoredJobs: number;
};

/**
 * Fits an account's jobs to a plan, oldest first. Jobs over its limits become inactive, jobs that run too often slow
 * down, and jobs that an earlier plan held back are restored as far as this plan allows.
 */
export function fitJobs(jobs: HeldJob[], plan: Plan): Fit {
  const fit: Fit = { changes: [], inactiveJobs: 0, slowedJobs: 0, pausedTriggers: 0, restoredJobs: 0 };
  const jobsByGroup = new Map<string, number>();
  let activeJobs = 0;
  let triggers = 0;
  for (const job of jobs) {
    const wanted = readWanted(job);
    const groupSize = jobsByGroup.get(job.group_id) ?? 0;
    const isFull =
      (plan.jobs !== null && activeJobs >= plan.jobs) ||
      groupSize >= plan.jobsPerGroup ||
      (groupSize === 0 && jobsByGroup.size >= plan.groups);
    const heldStatus = isFull && wanted.status !== "INACTIVE" ? wanted.status : null;
    const status = heldStatus ? "INACTIVE" : wanted.status;
    const frequency_minutes = Math.max(wanted.frequency_minutes, plan.minimumMinutes);
    const isSlowed = frequency_minutes !== wanted.frequency_minutes;
    if (status !== "INACTIVE") {
      activeJobs++;
      jobsByGroup.set(job.group_id, groupSize + 1);
      if (job.triggered) triggers++;
      if (isSlowed) fit.slowedJobs++;
      if (job.status === "INACTIVE") fit.restoredJobs++;
    }
    if (heldStatus) fit.inactiveJobs++;
    const held: Held = {
      status: heldStatus,
      frequency_minutes: isSlowed ? wanted.frequency_minutes : null,
      raised_to: isSlowed ? frequency_minutes : null,
    };
    const isHeld = heldStatus !== null || isSlowed;
    if (isHeld || job.held) {
      fit.changes.push({ before: job, status, frequency_minutes, held: isHeld ? held : null });
    }
  }
  fit.pausedTriggers = plan.triggers === null ? 0 : Math.max(0, triggers - plan.triggers);
  return fit;
}

/** How the user wants the job: a setting that was held back counts, unless the user has changed it since. */
function readWanted({
  status,
  frequency_minutes,
  held,
}: HeldJob): Pick<HeldJob, "status" | "frequency_minutes"> {
  return {
    status: status === "INACTIVE" && held?.status ? held.status : status,
    frequency_minutes:
      held?.frequency_minutes && held.raised_to === frequency_minutes
        ? held.frequency_minutes
        : frequency_minutes,
  };
}
