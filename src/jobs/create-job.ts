import { randomUUID } from "node:crypto";
import { enqueue } from "#checks/enqueue.ts";
import { keepTimetables } from "#checks/keep-timetables.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NewJob } from "#contract/job.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { findGroup } from "#storage/groups.ts";
import { insertJob } from "#storage/jobs.ts";
import { startRhythm } from "#storage/schedule.ts";
import { assertRules } from "./assert-rules.ts";
import type { Deps } from "./deps.ts";
import {
  assertFrequencyAllowed,
  assertJobAllowed,
  assertLookupAllowed,
  assertTimetableAllowed,
  assertTriggerAllowed,
  takeQuota,
} from "./limits.ts";
import { assertSomethingLeft, assertTarget, assertTrigger, hostOf, sealRules } from "./rules.ts";

/** Where a job is made as one of many: its target and its rules were judged before, and it may begin paused. */
type Within = { tx: Database; paused: boolean };

/** Watches a page from now on; its first check is queued at once. Refuses when the plan is full. */
export async function createJob(deps: Deps, actor: Actor, input: NewJob, within?: Within): Promise<string> {
  const { accountId } = actor;
  const inTransaction = (work: (tx: Database) => Promise<void>) =>
    within ? work(within.tx) : deps.db.transaction().execute(work);
  if (!within) await assertTarget(deps, input.url);
  if (input.trigger) await assertTrigger(deps, input.trigger);
  if (!within) await assertRules(input);
  const id = randomUUID();
  const rules = sealRules(deps, id, input);
  await inTransaction(async (tx) => {
    const quota = await takeQuota(tx, accountId);
    const group = await findGroup(tx, accountId, input.groupId);
    if (!group) throw new AppError("NOT_FOUND", "There is no such group.");
    assertSomethingLeft(input, group);
    assertFrequencyAllowed(quota, input.frequency);
    assertJobAllowed(quota, input.groupId);
    if (input.trigger) assertTriggerAllowed(quota);
    if (input.lookup) assertLookupAllowed(quota);
    if (input.schedule) assertTimetableAllowed(quota, input.schedule);
    const url = input.url.trim();
    const job = await insertJob(tx, {
      id,
      account_id: accountId,
      group_id: input.groupId,
      name: input.name,
      url,
      host: hostOf(url),
      frequency_minutes: input.frequency,
      ignore: "[]",
      ...rules,
      ...(within?.paused ? { status: "PAUSED" as const } : {}),
    });
    if (!job)
      throw new AppError("NAME_TAKEN", "The group already has a job of this name.", { field: "name" });
    await startRhythm(tx, id);
    await keepTimetables(tx, [id], true);
    if (!within?.paused) await enqueue(deps.queue, tx, job);
    await emitEvents(tx, accountId, [{ kind: "listed" }]);
  });
  return id;
}
