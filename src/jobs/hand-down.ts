import { openGroupHeaders } from "#checks/inherit.ts";
import { keepTimetables } from "#checks/keep-timetables.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { GroupSettings } from "#contract/job.ts";
import { refuseConditions } from "#detection/conditions.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { findGroup, updateGroupSettings } from "#storage/groups.ts";
import { type JobRow, listJobs, renewTargets } from "#storage/jobs.ts";
import { startRhythms } from "#storage/schedule.ts";
import { assertRules } from "./assert-rules.ts";
import { assertGroupRulesFit } from "./assert-rules-fit.ts";
import type { Deps } from "./deps.ts";
import { assertTimetableAllowed, takeQuota } from "./limits.ts";
import { assertHeaders, leavesNothing, sealTimetable, unmasked } from "./rules.ts";

/** Keeps what a group hands down; it counts for its jobs from their next check on. */
export async function handDown(
  deps: Pick<Deps, "db" | "secrets" | "refuseHeaders" | "blobs" | "detector">,
  { accountId }: Actor,
  groupId: string,
  { headers, schedule, ...handed }: GroupSettings,
  within?: Database,
): Promise<void> {
  await assertRules(handed);
  assertConditions(handed);
  const timetable = sealTimetable(schedule);
  // What comes in by an import has no captures yet.
  if (!within)
    for (const job of await listJobs(deps.db, accountId, groupId))
      await assertGroupRulesFit(deps, job, handed);
  const inTransaction = (work: (tx: Database) => Promise<void>) =>
    within ? work(within) : deps.db.transaction().execute(work);
  await inTransaction(async (tx) => {
    const quota = await takeQuota(tx, accountId);
    const group = await findGroup(tx, accountId, groupId);
    if (!group) throw new AppError("NOT_FOUND");
    if (schedule) assertTimetableAllowed(quota, schedule);
    const jobs = await listJobs(tx, accountId, groupId);
    for (const job of jobs) assertSomethingLeft(job, handed);
    const kept = openGroupHeaders(deps.secrets, {
      group_id: groupId,
      group_headers_sealed: group.headers_sealed,
    });
    const wanted = unmasked(headers, kept);
    assertHeaders(deps, wanted, "headers");
    const sealed =
      wanted.length > 0 ? deps.secrets.seal(JSON.stringify(wanted), `group-headers:${groupId}`) : null;
    const selector = handed.selector?.trim() || null;
    const said = Object.entries({ ...handed, selector }).filter(
      ([, value]) => value !== null && !isEmpty(value),
    );
    await updateGroupSettings(tx, accountId, groupId, {
      handed: JSON.stringify(Object.fromEntries(said)),
      headers_sealed: sealed,
      timetable,
    });
    const ids = jobs.map(({ id }) => id);
    // A check that runs now looks by the old rules: what it finds is nobody's.
    await renewTargets(tx, ids);
    await startRhythms(tx, ids);
    await keepTimetables(tx, ids, false);
    await emitEvents(tx, accountId, [{ kind: "listed" }]);
  });
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

function assertConditions({ alertIf }: Pick<GroupSettings, "alertIf">): void {
  const wrong = alertIf && refuseConditions(alertIf, []);
  if (!wrong) return;
  const isNumber = alertIf.conditions[wrong.at]?.what === "number";
  const reason = isNumber ? "Numbers are a job's own: say this condition there." : wrong.reason;
  throw new AppError("INVALID_INPUT", reason, { field: `alertIf.conditions.${wrong.at}` });
}

/** Refuses what would leave nothing of a job: a part that it compares, ignored by its group. */
function assertSomethingLeft(
  job: Pick<JobRow, "name" | "selector" | "ignore">,
  { selector, ignore }: Pick<GroupSettings, "selector" | "ignore">,
): void {
  const chosen = job.selector ?? selector;
  if (!leavesNothing(chosen, [...ignore, ...job.ignore])) return;
  const at = ignore.findIndex((entry) => leavesNothing(chosen, [entry], "some"));
  throw new AppError(
    "INVALID_INPUT",
    `Nothing would be left of the job ${job.name}: it compares only “${chosen}”.`,
    { field: at < 0 ? "selector" : `ignore.${at}` },
  );
}
