import type { Plan } from "#contract/plans.ts";

export type Status = "ACTIVE" | "INACTIVE" | "DISABLED" | "PAUSED" | "INTERRUPTED";

/** A job as a plan's limits see it, with what an earlier plan held back of it. */
export type FittedJob = {
  id: string;
  groupId: string;
  status: Status;
  frequencyMinutes: number;
  hasTrigger: boolean;
  held: Held | null;
};

/** How the job was before a plan held it back; `raisedTo` is the frequency that the plan gave it. */
export type Held = { status: Status | null; frequencyMinutes: number | null; raisedTo: number | null };

export type JobChange = { id: string; status: Status; frequencyMinutes: number; held: Held | null };

export type Fit = {
  changes: JobChange[];
  summary: { inactiveJobs: number; slowedJobs: number; pausedTriggers: number; restoredJobs: number };
};

/**
 * Makes an account's jobs, oldest first, fit a plan: those over its limits become inactive, those too frequent slow down,
 * and those that an earlier plan held back return to how they were as far as this plan allows.
 */
export function fitJobs(jobs: FittedJob[], plan: Plan): Fit {
  const changes: JobChange[] = [];
  const summary = { inactiveJobs: 0, slowedJobs: 0, pausedTriggers: 0, restoredJobs: 0 };
  const inGroup = new Map<string, number>();
  let kept = 0;
  let triggers = 0;
  for (const job of jobs) {
    const wanted = ownWish(job);
    const groupSize = inGroup.get(job.groupId) ?? 0;
    const isFull = (plan.jobs !== null && kept >= plan.jobs) || groupSize >= plan.jobsPerGroup;
    const rests = isFull && wanted.status !== "INACTIVE";
    const status = rests ? "INACTIVE" : wanted.status;
    const frequencyMinutes = Math.max(wanted.frequencyMinutes, plan.minimumMinutes);
    const isSlowed = frequencyMinutes !== wanted.frequencyMinutes;
    if (status !== "INACTIVE") {
      kept++;
      inGroup.set(job.groupId, groupSize + 1);
      if (job.hasTrigger) triggers++;
      if (isSlowed) summary.slowedJobs++;
      if (job.status === "INACTIVE") summary.restoredJobs++;
    }
    if (rests) summary.inactiveJobs++;
    const held =
      rests || isSlowed
        ? {
            status: rests ? wanted.status : null,
            frequencyMinutes: isSlowed ? wanted.frequencyMinutes : null,
            raisedTo: isSlowed ? frequencyMinutes : null,
          }
        : null;
    if (status !== job.status || frequencyMinutes !== job.frequencyMinutes || held || job.held) {
      changes.push({ id: job.id, status, frequencyMinutes, held });
    }
  }
  summary.pausedTriggers = plan.triggers === null ? 0 : Math.max(0, triggers - plan.triggers);
  return { changes, summary };
}

/** How the user wants the job: what was held back counts unless they have changed it since. */
function ownWish({ status, frequencyMinutes, held }: FittedJob): {
  status: Status;
  frequencyMinutes: number;
} {
  return {
    status: status === "INACTIVE" && held?.status ? held.status : status,
    frequencyMinutes:
      held?.frequencyMinutes && held.raisedTo === frequencyMinutes ? held.frequencyMinutes : frequencyMinutes,
  };
}
