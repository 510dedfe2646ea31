import { randomUUID } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { isIdentity } from "#contract/identity.ts";
import type { NewJob } from "#contract/job.ts";
import { findFreeName, nameFromUrl } from "#contract/job-name.ts";
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
  takeQuota,
} from "#plans/plan-limits.ts";
import { assertProxiesUsable } from "#proxies/manage-proxies.ts";
import { enqueue } from "#scheduling/enqueue.ts";
import { setNextRuns } from "#scheduling/next-runs.ts";
import { startRhythm } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";
import { findGroup } from "#storage/groups.ts";
import { toSettingColumns } from "#storage/job-settings.ts";
import { insertJob, listNamesLike } from "#storage/jobs.ts";
import { assertAdList } from "./assert-ad-list.ts";
import { assertRules } from "./assert-rules.ts";
import { assertNoIdentity, assertSite } from "./assert-site.ts";
import type { Deps } from "./deps.ts";
import { nameTakenError } from "./name-taken-error.ts";
import { prepareSettings } from "./prepare-settings.ts";
import { assertSomethingLeft, assertTarget, assertTrigger, hostOf } from "./rules.ts";

/** For a job that is created as one of many: its target and rules were checked before, and it may start paused. */
type Bulk = { tx: Database; paused: boolean };

/** Creates a job and queues its first check. Refuses when a limit of the plan is reached. */
export async function createJob(deps: Deps, actor: Actor, input: NewJob, bulk?: Bulk): Promise<string> {
  const { accountId } = actor;
  const inTransaction = (work: (tx: Database) => Promise<void>) =>
    bulk ? work(bulk.tx) : deps.db.transaction().execute(work);
  if (input.site) assertSite(input.url, input.site);
  if (input.site) assertNoIdentity(input.identity);
  if (!bulk) await assertTarget(deps, input.url);
  if (input.trigger) await assertTrigger(deps, input.trigger);
  if (!bulk) await assertRules(input);
  if (!bulk) await assertPageSteps(deps, input.pageSteps);
  // An imported job keeps proxies of another account: its checks say that they are missing, and never go without one.
  if (!bulk) assertAdList(deps, input.browser);
  if (!bulk) await assertProxiesUsable(deps.db, accountId, input.proxies);
  const id = randomUUID();
  const settings = toSettingColumns(deps.secrets, id, prepareSettings(deps, input));
  await inTransaction(async (tx) => {
    const quota = await takeQuota(tx, accountId);
    const group = await findGroup(tx, accountId, input.groupId);
    if (!group) throw new AppError("NOT_FOUND", "This group doesn’t exist.");
    assertSomethingLeft(input, group);
    assertFrequencyAllowed(quota, input.frequency);
    assertJobAllowed(quota, input.groupId);
    if (input.trigger) assertTriggerAllowed(quota);
    if (input.lookup) assertLookupAllowed(quota);
    if (isIdentity(input.identity) && !bulk) {
      assertIdentitiesAllowed(quota);
      await assertIdentityUsable(tx, accountId, input.identity, input.url);
    }
    if (input.schedule) assertTimetableAllowed(quota, input.schedule);
    if (input.site) assertSiteAllowed(quota, input.site.maxPages);
    const url = toPageUrl(input.url);
    const name = input.name || (await chooseName(tx, accountId, input.groupId, url));
    const job = await insertJob(tx, {
      id,
      account_id: accountId,
      group_id: input.groupId,
      name,
      awaits_title: input.name === "",
      url,
      host: hostOf(url),
      frequency_minutes: input.frequency,
      ignore: "[]",
      ...settings,
      ...(bulk?.paused ? { status: "PAUSED" as const } : {}),
    });
    if (!job) throw await nameTakenError(tx, actor.accountId, input.groupId, name);
    await startRhythm(tx, id);
    await setNextRuns(tx, [id], true);
    if (!bulk?.paused) await enqueue(deps.queue, tx, job);
    await emitEvents(tx, accountId, [{ kind: "listed" }]);
  });
  return id;
}

/** The name of a job until its page's title is known. */
async function chooseName(tx: Database, accountId: string, groupId: string, url: string): Promise<string> {
  const name = nameFromUrl(url);
  const taken = await listNamesLike(tx, accountId, groupId, name.slice(0, 100));
  return findFreeName(name, (wanted) => taken.has(wanted));
}
