import { accountOf } from "#accounts/session.ts";
import { channelSecretContext } from "#alerts/channel-secret.ts";
import type { Deps } from "#alerts/deps.ts";
import { type GivenChannelId, placeOf } from "#channels/channel-list.ts";
import { type EnteredAddress, packAddress } from "#channels/entered-address.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { assertInPlan } from "#plans/assert-channel.ts";
import { planById } from "#plans/plans.ts";
import { putChannel } from "#storage/channels.ts";

/** Sends alerts to an address from now on; it must exist and be one that we may request. Returns its display name. */
export async function putChannelAddress(
  deps: Deps,
  actor: Actor,
  id: GivenChannelId,
  address: EnteredAddress,
): Promise<string> {
  const account = await accountOf(deps, actor);
  assertInPlan(planById(account.plan_id), id);
  const found = await deps.channels[id].look(address);
  if (!found.ok) {
    throw new AppError(found.failure.transient ? "CHANNEL_FAILED" : "INVALID_INPUT", found.failure.message);
  }
  // Not every channel contacts its receiver above, and alerts to an address refused at sending would be lost.
  const reason = await deps.refuseTarget(address.url);
  if (reason)
    throw new AppError("TARGET_NOT_ALLOWED", `The ${placeOf(id)} is refused. ${reason}`, { field: "url" });
  await putChannel(deps.db, account.id, id, {
    secret_sealed: deps.secrets.seal(packAddress(address), channelSecretContext(id, account.id)),
    label: found.name,
  });
  return found.name;
}
