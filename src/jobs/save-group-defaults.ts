import { validateConditions } from "#alert-conditions/conditions.ts";
import type { Actor } from "#contract/actor.ts";
import { canonicalBrowser } from "#contract/browser-settings.ts";
import { AppError } from "#contract/errors.ts";
import { isIdentity } from "#contract/identity.ts";
import type { GroupSettings } from "#contract/job.ts";
import { unmaskValues } from "#contract/mask.ts";
import { canonicalSecondOpinion } from "#contract/second-opinion.ts";
import { openGroupHeaders, openGroupStepSecrets, rulesOf } from "#group-defaults/inherit.ts";
import { assertIdentityUsable } from "#identities/manage-identities.ts";
import { emitEvents } from "#live-events/events.ts";
import { assertPageSteps } from "#page-steps/assert-page-steps.ts";
import { hidePasswords } from "#page-steps/password-fields.ts";
import { assertIdentitiesAllowed, assertTimetableAllowed, takeQuota } from "#plans/plan-limits.ts";
import { assertProxiesUsable } from "#proxies/manage-proxies.ts";
import { setNextRuns } from "#scheduling/next-runs.ts";
import { startRhythms } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";
import { findGroup, updateGroupSettings } from "#storage/groups.ts";
import { bumpTargetVersions, type JobRow, listJobs } from "#storage/jobs.ts";
import { assertAdList } from "./assert-ad-list.ts";
import { assertRules } from "./assert-rules.ts";
import { assertGroupRulesFit } from "./assert-rules-fit.ts";
import type { Deps } from "./deps.ts";
import { prepareMessage } from "./prepare-message.ts";
import { assertHeaders, assertTimetable, leavesNothing } from "./rules.ts";

/** Saves a group's defaults; they apply to its jobs from their next check on. */
export async function saveGroupDefaults(
  deps: Pick<Deps, "db" | "secrets" | "refuseHeaders" | "refuseTarget" | "hasAdList" | "blobs" | "detector">,
  { accountId }: Actor,
  groupId: string,
  { headers, schedule, stepSecrets, ...defaults }: GroupSettings,
  outerTransaction?: Database,
): Promise<void> {
  await assertRules(defaults);
  assertConditions(defaults);
  const message = prepareMessage(defaults.message);
  if (schedule) assertTimetable(schedule);
  if (!outerTransaction) await assertPageSteps(deps, defaults.pageSteps);
  // Imported jobs have no captures yet.
  if (!outerTransaction) assertAdList(deps, defaults.browser);
  if (!outerTransaction) await assertProxiesUsable(deps.db, accountId, defaults.proxies);
  if (!outerTransaction)
    for (const job of await listJobs(deps.db, accountId, groupId))
      await assertGroupRulesFit(deps, job, defaults);
  const inTransaction = (work: (tx: Database) => Promise<void>) =>
    outerTransaction ? work(outerTransaction) : deps.db.transaction().execute(work);
  await inTransaction(async (tx) => {
    const quota = await takeQuota(tx, accountId);
    const group = await findGroup(tx, accountId, groupId);
    if (!group) throw new AppError("NOT_FOUND");
    if (schedule) assertTimetableAllowed(quota, schedule);
    if (isIdentity(defaults.identity) && !outerTransaction) {
      assertIdentitiesAllowed(quota);
      await assertIdentityUsable(tx, accountId, defaults.identity);
    }
    const jobs = await listJobs(tx, accountId, groupId);
    for (const job of jobs) assertSomethingLeft(job, defaults);
    const storedHeaders = openGroupHeaders(deps.secrets, {
      group_id: groupId,
      group_headers_sealed: group.headers_sealed,
    });
    const newHeaders = unmaskValues(headers, storedHeaders);
    assertHeaders(deps, newHeaders, "headers");
    const sealed =
      newHeaders.length > 0
        ? deps.secrets.seal(JSON.stringify(newHeaders), `group-headers:${groupId}`)
        : null;
    const storedSecrets = openGroupStepSecrets(deps.secrets, {
      group_id: groupId,
      group_step_secrets_sealed: group.step_secrets_sealed,
    });
    const typed = hidePasswords(defaults.pageSteps ?? [], unmaskValues(stepSecrets, storedSecrets));
    const pageSteps = defaults.pageSteps && typed.steps;
    const selector = defaults.selector?.trim() || null;
    const browser = defaults.browser && canonicalBrowser(defaults.browser);
    const secondOpinion = defaults.secondOpinion && canonicalSecondOpinion(defaults.secondOpinion);
    const given = Object.entries({
      ...defaults,
      message,
      selector,
      pageSteps,
      browser,
      secondOpinion,
    }).flatMap(([name, value]) => (value !== null && !isEmpty(value) ? [[name, value]] : []));
    await updateGroupSettings(tx, accountId, groupId, {
      handed: JSON.stringify(Object.fromEntries(given)),
      headers_sealed: sealed,
      step_secrets_sealed:
        typed.secrets.length > 0
          ? deps.secrets.seal(JSON.stringify(typed.secrets), `group-step-secrets:${groupId}`)
          : null,
      timetable: schedule && JSON.stringify(schedule),
    });
    const ids = jobs.map(({ id }) => id);
    // A check that is running now uses the old rules, so its result is dropped.
    await bumpTargetVersions(tx, ids);
    await startRhythms(tx, ids);
    await setNextRuns(tx, ids, false);
    await emitEvents(tx, accountId, [{ kind: "listed" }]);
  });
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

function assertConditions({ alertIf }: Pick<GroupSettings, "alertIf">): void {
  const refusal = alertIf && validateConditions(alertIf, "any");
  if (refusal)
    throw new AppError("INVALID_INPUT", refusal.reason, { field: `alertIf.conditions.${refusal.at}` });
}

/** Refuses defaults that would leave nothing of a job to compare, because the group ignores the job's selector. */
function assertSomethingLeft(
  job: JobRow,
  { selector, ignore }: Pick<GroupSettings, "selector" | "ignore">,
): void {
  const rules = rulesOf({ ...job, handed: { ...job.handed, selector, ignore } });
  const chosen = rules.selector;
  if (!leavesNothing(chosen, rules.ignore)) return;
  const at = ignore.findIndex((entry) => leavesNothing(chosen, [entry], "some"));
  throw new AppError(
    "INVALID_INPUT",
    `Nothing would be left of the job ${job.name}: it compares only “${chosen}”.`,
    { field: at < 0 ? "selector" : `ignore.${at}` },
  );
}
