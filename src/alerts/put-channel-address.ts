import { accountOf } from "#accounts/session.ts";
import type { Actor } from "#contract/actor.ts";
import type { GivenChannelId } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import { type GivenAddress, packAddress } from "#delivery/given-address.ts";
import { putChannel } from "#storage/channels.ts";
import { assertInPlan } from "./assert-in-plan.ts";
import { sealedFor } from "./channel-secret.ts";
import type { Deps } from "./deps.ts";

/** Sends alerts to an address from now on; it must exist. Answers the name that it is shown by. */
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
  await putChannel(deps.db, account.id, id, {
    secret_sealed: deps.secrets.seal(packAddress(address), sealedFor(id, account.id)),
    label: found.name,
  });
  return found.name;
}
