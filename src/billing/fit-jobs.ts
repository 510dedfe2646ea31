import type { Plan } from "#contract/plans.ts";
import type { Held, HeldJob, JobChange } from "#storage/plan-holds.ts";

export type Fit = {
  changes: Omit<JobChange, "words">[];
  inactiveJobs: number;
  slowedJobs: number;
  pausedTriggers: number;
  restoredJobs: number;
};

/**
 * Makes an account's jobs, oldest first, fit a plan: those over its limits become inactive, those too frequent slow down,
 * and those that an earlier plan held back return to how they were as far as this plan allows.
 */
export function fitJobs(jobs: HeldJob[], plan: Plan): Fit {
  const fit: Fit = { changes: [], inactiveJobs: 0, slowedJobs: 0, pausedTriggers: 0, restoredJobs: 0 };
  const inGroup = new Map<string, number>();
  let kept = 0;
  let triggers = 0;
  for (const job of jobs) {
    const wish = ownWish(job);
    const groupSize = inGroup.get(job.group_id) ?? 0;
    const isFull =
      (plan.jobs !== null && kept >= plan.jobs) ||
      groupSize >= plan.jobsPerGroup ||
      (groupSize === 0 && inGroup.size >= plan.groups);
    const restsAs = isFull && wish.status !== "INACTIVE" ? wish.status : null;
    const status = restsAs ? "INACTIVE" : wish.status;
    const frequency_minutes = Math.max(wish.frequency_minutes, plan.minimumMinutes);
    const isSlowed = frequency_minutes !== wish.frequency_minutes;
    if (status !== "INACTIVE") {
      kept++;
      inGroup.set(job.group_id, groupSize + 1);
      if (job.triggered) triggers++;
      if (isSlowed) fit.slowedJobs++;
      if (job.status === "INACTIVE") fit.restoredJobs++;
    }
    if (restsAs) fit.inactiveJobs++;
    const held: Held = {
      status: restsAs,
      frequency_minutes: isSlowed ? wish.frequency_minutes : null,
      raised_to: isSlowed ? frequency_minutes : null,
    };
    const isHeld = restsAs !== null || isSlowed;
    if (isHeld || job.held) {
      fit.changes.push({ before: job, status, frequency_minutes, held: isHeld ? held : null });
    }
  }
  fit.pausedTriggers = plan.triggers === null ? 0 : Math.max(0, triggers - plan.triggers);
  return fit;
}

/** How the user wants the job: what was held back counts unless they have changed it since. */
function ownWish({
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
