import { accountOf } from "#accounts/session.ts";
import type { Deps } from "#alerts/deps.ts";
import { type GivenChannelId, givenChannelIds, hasChannel } from "#channels/channel-list.ts";
import type { Actor } from "#contract/actor.ts";
import type { Channels } from "#contract/delivery.ts";
import { planById } from "#plans/plans.ts";
import { type ChannelRow, listChannels } from "#storage/channels.ts";

/** Describes an account's channels without their secrets. */
export async function readChannels(deps: Deps, actor: Actor): Promise<Channels> {
  const { telegram } = deps.channels;
  const [account, rows, bot] = await Promise.all([
    accountOf(deps, actor),
    listChannels(deps.db, actor.accountId),
    telegram?.name() ?? null,
  ]);
  const plan = planById(account.plan_id);
  const row = (kind: ChannelRow["kind"]) => rows.find((one) => one.kind === kind);
  const addressChannels = givenChannelIds.map((id) => [
    id,
    { included: hasChannel(plan, id), webhook: describe(row(id)) },
  ]);
  return {
    telegram: {
      included: hasChannel(plan, "telegram"),
      available: telegram !== null,
      bot,
      chat: describe(row("telegram")),
    },
    // The keys are those of the list, but the type of Object.fromEntries loses them.
    ...(Object.fromEntries(addressChannels) as Pick<Channels, GivenChannelId>),
    push: { included: hasChannel(plan, "push"), webhook: describe(row("push")) },
    email: { address: account.email, failure: row("email")?.failure ?? null },
    signing: { since: row("trigger")?.created_at.toISOString() ?? null },
  };
}

function describe(row: ChannelRow | undefined) {
  return row ? { label: row.label, since: row.created_at.toISOString(), failure: row.failure } : null;
}
