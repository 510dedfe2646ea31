import { enqueue } from "#checks/enqueue.ts";
import { keepTimetables } from "#checks/keep-timetables.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { JobUpdate } from "#contract/job.ts";
import { isSameTimetable } from "#contract/timetable.ts";
import { emitEvents } from "#storage/events.ts";
import { findGroup } from "#storage/groups.ts";
import { forgetMemory, type JobRow, jobNameTaken, lockJob, updateJobRow } from "#storage/jobs.ts";
import { startRhythm } from "#storage/schedule.ts";
import { assertRules } from "./assert-rules.ts";
import { assertRulesFit } from "./assert-rules-fit.ts";
import type { Deps } from "./deps.ts";
import {
  assertFrequencyAllowed,
  assertJobAllowed,
  assertLookupAllowed,
  assertTimetableAllowed,
  assertTriggerAllowed,
  type Quota,
  takeQuota,
} from "./limits.ts";
import {
  assertSomethingLeft,
  assertTarget,
  assertTrigger,
  hostOf,
  sealRules,
  sealTimetable,
} from "./rules.ts";

/** Changes a job. Another address starts it anew: what was learned of the old one is forgotten, a check runs at once. */
export async function updateJob(deps: Deps, actor: Actor, id: string, input: JobUpdate): Promise<void> {
  const { accountId } = actor;
  if (input.url) await assertTarget(deps, input.url);
  if (input.trigger) await assertTrigger(deps, input.trigger);
  if (input.schedule) sealTimetable(input.schedule);
  await assertRules(input);
  await assertRulesFit(deps, accountId, id, input);
  await deps.db.transaction().execute(async (tx) => {
    const quota = await takeQuota(tx, accountId);
    const job = await lockJob(tx, accountId, id);
    if (!job) throw new AppError("NOT_FOUND");
    const groupId = input.groupId ?? job.group_id;
    const name = input.name || job.name;
    const frequency = input.frequency || job.frequency_minutes;
    const group = await findGroup(tx, accountId, groupId);
    if (!group) throw new AppError("NOT_FOUND", "There is no such group.");
    assertChangesAllowed(quota, job, { ...input, groupId, frequency });
    if (await jobNameTaken(tx, accountId, groupId, name, id)) {
      throw new AppError("NAME_TAKEN", "The group already has a job of this name.", { field: "name" });
    }
    const url = input.url?.trim() || job.url;
    const moved = url !== job.url;
    const rules = sealRules(deps, id, input, job);
    const isOther = seesOtherwise(job, rules);
    if (isOther || groupId !== job.group_id)
      assertSomethingLeft({ selector: job.selector, ignore: job.ignore, ...input }, group);
    await updateJobRow(tx, id, {
      name,
      group_id: groupId,
      url,
      host: hostOf(url),
      frequency_minutes: frequency,
      ...rules,
      ...(moved ? { baseline_id: null, failures: 0, trouble: null } : {}),
      // A check that runs now looks by the old rules: what it finds is nobody's.
      ...(moved || groupId !== job.group_id || isOther ? { target_version: job.target_version + 1 } : {}),
      ...(groupId !== job.group_id || isOther ? { rules_at: new Date() } : {}),
    });
    if (moved) await forgetMemory(tx, id);
    const isTimed = input.schedule !== undefined && !isSameTimetable(input.schedule, job.timetable);
    if (moved || frequency !== job.frequency_minutes || isTimed || groupId !== job.group_id) {
      await startRhythm(tx, id);
      await keepTimetables(tx, [id], moved && job.status === "ACTIVE");
    }
    if (moved && job.status === "ACTIVE") await enqueue(deps.queue, tx, { ...job, host: hostOf(url) });
    await emitEvents(tx, accountId, [{ kind: "listed" }]);
  });
}

/** Whether other things count from now on. The captures stay what they are: the next check compares by the new rules. */
function seesOtherwise(job: JobRow, rules: ReturnType<typeof sealRules>): boolean {
  const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return (["selector", "awaited", "ignore", "lookup", "follow", "alert_if"] as const).some(
    (name) => name in rules && written(rules[name]) !== written(job[name]),
  );
}

function assertChangesAllowed(
  quota: Quota,
  job: JobRow,
  wanted: Pick<JobUpdate, "trigger" | "lookup" | "schedule"> & { groupId: string; frequency: number },
): void {
  if (wanted.frequency !== job.frequency_minutes) assertFrequencyAllowed(quota, wanted.frequency);
  if (wanted.groupId !== job.group_id && job.status !== "INACTIVE")
    assertJobAllowed(quota, wanted.groupId, job.id);
  if (wanted.trigger && !job.trigger_sealed) assertTriggerAllowed(quota, job.id);
  if (wanted.lookup) assertLookupAllowed(quota);
  if (wanted.schedule && !isSameTimetable(wanted.schedule, job.timetable))
    assertTimetableAllowed(quota, wanted.schedule);
}
