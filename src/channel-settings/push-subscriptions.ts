import { accountOf } from "#accounts/session.ts";
import { channelSecretContext, openChannelSecret } from "#alerts/channel-secret.ts";
import type { Deps } from "#alerts/deps.ts";
import { isPushKey } from "#channels/push-key.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NewPushSubscription } from "#contract/push.ts";
import { assertInPlan } from "#plans/assert-channel.ts";
import { planById } from "#plans/plans.ts";
import { findChannel, putChannel, removeChannel } from "#storage/channels.ts";

type Browser = { endpoint: string; keys: { p256dh: string; auth: string }; label: string };

const maxBrowsers = 10;

/** The browsers that an account's alerts go to. */
async function readBrowsers(deps: Deps, accountId: string): Promise<Browser[]> {
  const row = await findChannel(deps.db, accountId, "push");
  const secret = row && openChannelSecret(deps, row);
  return secret ? (JSON.parse(secret) as Browser[]) : [];
}

async function storeBrowsers(deps: Deps, accountId: string, browsers: Browser[]): Promise<void> {
  if (browsers.length === 0) {
    await removeChannel(deps.db, accountId, "push");
    return;
  }
  await putChannel(deps.db, accountId, "push", {
    secret_sealed: deps.secrets.seal(JSON.stringify(browsers), channelSecretContext("push", accountId)),
    label: browsers.map(({ label }) => label).join(", "),
  });
}

/** Sends alerts to a browser from now on; an eleventh browser replaces the oldest. */
export async function addBrowser(deps: Deps, actor: Actor, input: NewPushSubscription): Promise<number> {
  const account = await accountOf(deps, actor);
  assertInPlan(planById(account.plan_id), "push");
  const refusal = await deps.refuseTarget(input.endpoint);
  if (refusal || !input.endpoint.startsWith("http"))
    throw new AppError("INVALID_INPUT", "This isn’t the address of a push service.", { field: "endpoint" });
  if (!isPushKey(input.keys.p256dh))
    throw new AppError("INVALID_INPUT", "The browser’s key isn’t valid.", { field: "keys.p256dh" });
  const { endpoint, keys, label } = input;
  const others = (await readBrowsers(deps, account.id)).filter((one) => one.endpoint !== endpoint);
  const browsers = [...others, { endpoint, keys, label }].slice(-maxBrowsers);
  await storeBrowsers(deps, account.id, browsers);
  return browsers.length;
}

export async function removeBrowser(deps: Deps, { accountId }: Actor, endpoint: string): Promise<void> {
  const browsers = await readBrowsers(deps, accountId);
  const remaining = browsers.filter((one) => one.endpoint !== endpoint);
  if (remaining.length === browsers.length) throw new AppError("NOT_FOUND");
  await storeBrowsers(deps, accountId, remaining);
}
