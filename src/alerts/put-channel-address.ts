import { accountOf } from "#accounts/session.ts";
import type { Actor } from "#contract/actor.ts";
import { type GivenChannelId, placeOf } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import { type GivenAddress, packAddress } from "#delivery/given-address.ts";
import { putChannel } from "#storage/channels.ts";
import { assertInPlan } from "./assert-in-plan.ts";
import { sealedFor } from "./channel-secret.ts";
import type { Deps } from "./deps.ts";

/** Sends alerts to an address from now on; it must exist and be one that we may request. Answers the name that it is shown by. */
export async function putChannelAddress(
  deps: Deps,
  actor: Actor,
  id: GivenChannelId,
  address: GivenAddress,
): Promise<string> {
  const account = await accountOf(deps, actor);
  assertInPlan(planById(account.plan_id), id);
  const found = await deps.channels[id].look(address);
  if (!found.ok) {
    throw new AppError(found.failure.transient ? "CHANNEL_FAILED" : "INVALID_INPUT", found.failure.message);
  }
  // Not every receiver is asked, and an address that is refused when alerts are sent would lose them.
  const reason = await deps.refuseTarget(address.url);
  if (reason)
    throw new AppError("TARGET_NOT_ALLOWED", `The ${placeOf(id)} is refused. ${reason}`, { field: "url" });
  await putChannel(deps.db, account.id, id, {
    secret_sealed: deps.secrets.seal(packAddress(address), sealedFor(id, account.id)),
    label: found.name,
  });
  return found.name;
}
