import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { RunsPreviewInput } from "#contract/preview.ts";
import type { Deps } from "#jobs/deps.ts";
import { ownJob } from "#jobs/read-job.ts";
import { assertTimetable } from "#jobs/rules.ts";
import { planById } from "#plans/plans.ts";
import { followingRuns } from "#scheduling/next-runs.ts";
import { nextRuns } from "#scheduling/timetable.ts";
import { findAccount } from "#storage/accounts.ts";
import { findGroup } from "#storage/groups.ts";

const minuteMs = 60_000;

/** When a job would be checked next: a saved job as it is planned, or with other settings as if they were saved now. */
export async function previewRuns(
  deps: Pick<Deps, "db">,
  actor: Actor,
  { jobId, groupId, frequency, schedule, count }: RunsPreviewInput,
): Promise<{ runs: string[] }> {
  const job = jobId === undefined ? undefined : await ownJob(deps, actor, jobId);
  const group = groupId === undefined ? undefined : await findGroup(deps.db, actor.accountId, groupId);
  if (groupId !== undefined && !group) throw new AppError("NOT_FOUND", "There is no such group.");
  const toReply = (runs: Date[]) => ({ runs: runs.map((run) => run.toISOString()) });
  const isPlanned =
    job?.status === "ACTIVE" && [groupId, frequency, schedule].every((one) => one === undefined);
  if (isPlanned) return toReply(await followingRuns(deps.db, job, count));
  const minutes = frequency ?? job?.frequency_minutes;
  if (minutes === undefined)
    throw new AppError("INVALID_INPUT", "Enter a frequency, or the id of a job that has one.", {
      field: "frequency",
    });
  if (schedule) assertTimetable(schedule);
  const own = schedule === undefined ? job?.timetable : schedule;
  const timetable = own ?? (group ? group.timetable : job?.group_timetable) ?? null;
  const account = await findAccount(deps.db, actor.accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  const { minimumMinutes } = planById(account.plan_id);
  const now = new Date();
  if (timetable)
    return toReply(nextRuns(timetable, { frequencyMinutes: minutes, minimumMinutes }, now, count));
  const every = Math.max(minutes, minimumMinutes) * minuteMs;
  return toReply(Array.from({ length: count }, (_, i) => new Date(now.getTime() + (i + 1) * every)));
}
