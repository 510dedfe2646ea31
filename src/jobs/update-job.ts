import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { isIdentity } from "#contract/identity.ts";
import type { JobUpdate } from "#contract/job.ts";
import { comparedNames, type SettingValues } from "#contract/job-settings.ts";
import { toPageUrl } from "#contract/page-url.ts";
import { assertIdentityUsable } from "#identities/manage-identities.ts";
import { emitEvents } from "#live-events/events.ts";
import { assertPageSteps } from "#page-steps/assert-page-steps.ts";
import {
  assertFrequencyAllowed,
  assertIdentitiesAllowed,
  assertJobAllowed,
  assertLookupAllowed,
  assertSiteAllowed,
  assertTimetableAllowed,
  assertTriggerAllowed,
  type Quota,
  takeQuota,
} from "#plans/plan-limits.ts";
import { assertProxiesUsable } from "#proxies/manage-proxies.ts";
import { enqueue } from "#scheduling/enqueue.ts";
import { setNextRuns } from "#scheduling/next-runs.ts";
import { startRhythm } from "#scheduling/schedule-rows.ts";
import { isSameTimetable } from "#scheduling/timetable.ts";
import type { Database } from "#storage/database.ts";
import { findGroup } from "#storage/groups.ts";
import { readPlainSetting, toSettingColumns } from "#storage/job-settings.ts";
import { findJobByName, forgetMemory, type JobRow, lockJob, updateJobRow } from "#storage/jobs.ts";
import { assertAdList } from "./assert-ad-list.ts";
import { assertRules } from "./assert-rules.ts";
import { assertRulesFit } from "./assert-rules-fit.ts";
import { assertSecretsStay, assertStepSecretsStay } from "./assert-secrets-stay.ts";
import { assertNoIdentity, assertSite } from "./assert-site.ts";
import type { Deps } from "./deps.ts";
import { nameTakenError } from "./name-taken-error.ts";
import { prepareSettings } from "./prepare-settings.ts";
import { assertSomethingLeft, assertTarget, assertTimetable, assertTrigger, hostOf } from "./rules.ts";
import { assertNotDeleted } from "./schedule-deletion.ts";

/** Changes a job. Another page or site restarts it: what was learned about the old page is forgotten, and a check runs at once. */
export async function updateJob(
  deps: Deps,
  actor: Actor,
  id: string,
  input: JobUpdate,
  outerTransaction?: Database,
): Promise<void> {
  const { accountId } = actor;
  // Whoever brings a transaction has called `assertUpdate` before it began.
  if (!outerTransaction) await assertUpdate(deps, accountId, id, input);
  const inTransaction = (work: (tx: Database) => Promise<void>) =>
    outerTransaction ? work(outerTransaction) : deps.db.transaction().execute(work);
  await inTransaction(async (tx) => {
    const quota = await takeQuota(tx, accountId);
    const job = await lockJob(tx, accountId, id);
    if (!job) throw new AppError("NOT_FOUND");
    assertNotDeleted(job);
    const groupId = input.groupId ?? job.group_id;
    const name = input.name || job.name;
    const frequency = input.frequency || job.frequency_minutes;
    const group = await findGroup(tx, accountId, groupId);
    if (!group) throw new AppError("NOT_FOUND", "This group doesn’t exist.");
    assertChangesAllowed(quota, job, { ...input, groupId, frequency });
    const sameName = await findJobByName(tx, accountId, groupId, name);
    if (sameName && sameName.id !== id) throw await nameTakenError(tx, accountId, groupId, name);
    const url = toPageUrl(input.url ?? "") || job.url;
    const oldSite = readPlainSetting<"site">(job, "site");
    const site = input.site === undefined ? oldSite : input.site;
    if (site) assertSite(url, site);
    const identity =
      input.identity === undefined ? readPlainSetting<"identity">(job, "identity") : input.identity;
    if (site) assertNoIdentity(identity);
    if (input.identity !== undefined || url !== job.url)
      await assertIdentityUsable(tx, accountId, identity, url);
    assertSecretsStay(deps, job, input, url);
    assertStepSecretsStay(deps, job, input, url);
    const isNewTarget = url !== job.url || (site === null) !== (oldSite === null);
    const settings = prepareSettings(deps, input, job);
    const hasNewRules = rulesDiffer(job, settings);
    if (hasNewRules || groupId !== job.group_id)
      assertSomethingLeft(
        {
          selector: job.selector,
          ignore: job.ignore,
          notInherited: readPlainSetting<"notInherited">(job, "notInherited"),
          ...input,
        },
        group,
      );
    await updateJobRow(tx, id, {
      name,
      ...(name === job.name ? {} : { awaits_title: false }),
      group_id: groupId,
      url,
      host: hostOf(url),
      frequency_minutes: frequency,
      ...toSettingColumns(deps.secrets, id, settings, job),
      ...(isNewTarget ? { baseline_id: null, failures: 0, trouble: null } : {}),
      // A check that is running now uses the old rules, so its result is dropped.
      ...(isNewTarget || groupId !== job.group_id || hasNewRules
        ? { target_version: job.target_version + 1 }
        : {}),
      ...(groupId !== job.group_id || hasNewRules ? { rules_at: new Date() } : {}),
    });
    if (isNewTarget) await forgetMemory(tx, id);
    const hasNewTimetable = input.schedule !== undefined && !isSameTimetable(input.schedule, job.timetable);
    if (isNewTarget || frequency !== job.frequency_minutes || hasNewTimetable || groupId !== job.group_id) {
      await startRhythm(tx, id);
      await setNextRuns(tx, [id], isNewTarget && job.status === "ACTIVE");
    }
    if (isNewTarget && job.status === "ACTIVE") await enqueue(deps.queue, tx, { ...job, host: hostOf(url) });
    await emitEvents(tx, accountId, [{ kind: "listed" }]);
  });
}
/** Refuses what can be judged before anything is locked: targets, timetables and rules. */
export async function assertUpdate(
  deps: Deps,
  accountId: string,
  id: string,
  input: JobUpdate,
): Promise<void> {
  if (input.url?.trim()) await assertTarget(deps, input.url);
  if (input.trigger) await assertTrigger(deps, input.trigger);
  if (input.schedule) assertTimetable(input.schedule);
  await assertPageSteps(deps, input.pageSteps);
  await assertRules(input);
  assertAdList(deps, input.browser);
  await assertProxiesUsable(deps.db, accountId, input.proxies);
  await assertRulesFit(deps, accountId, id, input);
}

/** Whether the rules changed. Stored captures stay as they are: the next check compares them by the new rules. */
function rulesDiffer(job: JobRow, wanted: Partial<SettingValues>): boolean {
  const toText = (value: unknown) => JSON.stringify(value);
  return comparedNames.some(
    (name) => wanted[name] !== undefined && toText(wanted[name]) !== toText(readPlainSetting(job, name)),
  );
}

function assertChangesAllowed(
  quota: Quota,
  job: JobRow,
  wanted: Pick<JobUpdate, "trigger" | "lookup" | "schedule" | "site" | "identity"> & {
    groupId: string;
    frequency: number;
  },
): void {
  if (wanted.frequency !== job.frequency_minutes) assertFrequencyAllowed(quota, wanted.frequency);
  if (wanted.groupId !== job.group_id && job.status !== "INACTIVE")
    assertJobAllowed(quota, wanted.groupId, job.id);
  if (wanted.trigger && !job.trigger_sealed) assertTriggerAllowed(quota, job.id);
  if (wanted.lookup) assertLookupAllowed(quota);
  if (isIdentity(wanted.identity)) assertIdentitiesAllowed(quota);
  if (wanted.site) assertSiteAllowed(quota, wanted.site.maxPages);
  if (wanted.schedule && !isSameTimetable(wanted.schedule, job.timetable))
    assertTimetableAllowed(quota, wanted.schedule);
}
