import { randomUUID } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { unmaskValues } from "#contract/mask.ts";
import { toPageUrl } from "#contract/page-url.ts";
import type { PreviewInput } from "#contract/preview.ts";
import {
  groupDefault,
  openGroupHeaders,
  openGroupStepSecrets,
  overrideHeaders,
} from "#group-defaults/inherit.ts";
import { identityOfJob } from "#identities/identity-of-job.ts";
import { assertIdentityUsable } from "#identities/manage-identities.ts";
import { assertAdList } from "#jobs/assert-ad-list.ts";
import { assertStepSecretsStay } from "#jobs/assert-secrets-stay.ts";
import type { Deps } from "#jobs/deps.ts";
import { prepareSettings } from "#jobs/prepare-settings.ts";
import { ownJob } from "#jobs/read-job.ts";
import { assertTarget, hostOf } from "#jobs/rules.ts";
import { fillDates } from "#message-templates/fill-dates.ts";
import { assertPageSteps } from "#page-steps/assert-page-steps.ts";
import { takeQuota } from "#plans/plan-limits.ts";
import { assertProxiesUsable } from "#proxies/manage-proxies.ts";
import { countUse } from "#request-limits/rate-limits.ts";
import { findGroup } from "#storage/groups.ts";
import { readSetting, toSettingColumns } from "#storage/job-settings.ts";
import { countQueuedPreviews, insertPreview } from "#storage/previews.ts";

const maxQueued = 2;
const perHour = { uses: 30, windowSeconds: 3600 };

/** Requests one capture of a page, as a check would take it, without creating a job. */
export async function askPreview(deps: Deps, actor: Actor, input: PreviewInput): Promise<string> {
  const { accountId } = actor;
  const page = await assertTarget(deps, input.url);
  const id = randomUUID();
  const group = await groupOf(deps, accountId, input.groupId);
  const zone = (input.schedule ?? group?.timetable)?.zone;
  const fill = (text: string) => fillDates(text, new Date(), zone);
  const { waitFor, request } = input;
  const browser = { ...group?.browser, ...input.browser };
  const proxies = input.proxies ?? group?.proxies;
  const inherited = await identityOfJob(deps, {
    account_id: accountId,
    url: page,
    settings: {},
    handed: group?.identity ? { identity: group.identity } : {},
  });
  const identity = input.identity ?? inherited?.row?.id;
  assertAdList(deps, input.browser);
  await assertPageSteps(deps, input.pageSteps);
  await assertProxiesUsable(deps.db, accountId, proxies);
  await assertIdentityUsable(deps.db, accountId, input.identity, input.url);
  const settings = prepareSettings(deps, {
    headers: overrideHeaders(group?.headers ?? [], input.headers ?? []),
    ...(await stepsOf(deps, actor, input, group)),
    ...(waitFor && { waitFor }),
    browser,
    ...(proxies && { proxies }),
    ...(identity && { identity }),
    ...(request && { request: { ...request, body: fill(request.body) } }),
  });
  await deps.db.transaction().execute(async (tx) => {
    // It locks the account, so that two simultaneous requests count each other.
    await takeQuota(tx, accountId);
    if ((await countQueuedPreviews(tx, accountId)) >= maxQueued)
      throw new AppError("RATE_LIMITED", `${maxQueued} previews are still running.`, {
        retryAfterSeconds: 5,
      });
    const seconds = await countUse(tx, `preview:${accountId}`, perHour);
    if (seconds > 0)
      throw new AppError("RATE_LIMITED", `At most ${perHour.uses} previews an hour. Try again later.`, {
        retryAfterSeconds: seconds,
      });
    const url = fill(page);
    await insertPreview(tx, {
      id,
      account_id: accountId,
      url,
      host: hostOf(url),
      ...toSettingColumns(deps.secrets, id, settings),
    });
    await deps.queue.send(tx, "preview", { previewId: id }, { owner: accountId, place: hostOf(url) });
  });
  return id;
}

async function groupOf({ db, secrets }: Deps, accountId: string, id: string | undefined) {
  if (id === undefined) return undefined;
  const group = await findGroup(db, accountId, id);
  if (!group) throw new AppError("NOT_FOUND", "This group doesn’t exist.");
  const { headers_sealed, timetable, handed } = group;
  return {
    timetable,
    browser: handed.browser,
    proxies: groupDefault<"proxies">({ handed }, "proxies"),
    identity: groupDefault<"identity">({ handed }, "identity"),
    headers: openGroupHeaders(secrets, { group_id: id, group_headers_sealed: headers_sealed }),
    pageSteps: groupDefault<"pageSteps">({ handed }, "pageSteps"),
    stepSecrets: openGroupStepSecrets(secrets, {
      group_id: id,
      group_step_secrets_sealed: group.step_secrets_sealed,
    }),
  };
}

/** The steps of the preview with their secrets; masked ones are those of the job that is edited. */
async function stepsOf(
  deps: Deps,
  actor: Actor,
  { url, pageSteps, stepSecrets = [], jobId }: PreviewInput,
  group: Awaited<ReturnType<typeof groupOf>>,
) {
  const steps = pageSteps ?? group?.pageSteps ?? null;
  if (!steps || steps.length === 0) return {};
  const job = jobId === undefined ? null : await ownJob(deps, actor, jobId);
  if (job) assertStepSecretsStay(deps, job, { pageSteps, stepSecrets }, toPageUrl(url));
  const stored = job ? readSetting(deps.secrets, job, "stepSecrets") : [];
  const own = unmaskValues(stepSecrets, stored);
  return { pageSteps: steps, stepSecrets: overrideHeaders(group?.stepSecrets ?? [], own) };
}
