import { accountOf } from "#accounts/session.ts";
import type { Actor } from "#contract/actor.ts";
import { type GivenChannelId, givenChannelIds, hasChannel } from "#contract/channels.ts";
import type { Channels } from "#contract/delivery.ts";
import { planById } from "#contract/plans.ts";
import { type ChannelRow, listChannels } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";

/** How alerts reach an account, without the secrets. */
export async function readChannels(deps: Deps, actor: Actor): Promise<Channels> {
  const { telegram } = deps.channels;
  const [account, rows, bot] = await Promise.all([
    accountOf(deps, actor),
    listChannels(deps.db, actor.accountId),
    telegram?.name() ?? null,
  ]);
  const plan = planById(account.plan_id);
  const row = (kind: ChannelRow["kind"]) => rows.find((one) => one.kind === kind);
  const given = givenChannelIds.map((id) => [
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
    // Its keys are the list's, which the type of fromEntries forgets.
    ...(Object.fromEntries(given) as Pick<Channels, GivenChannelId>),
    push: { included: hasChannel(plan, "push"), webhook: describe(row("push")) },
    email: { address: account.email, failure: row("email")?.failure ?? null },
    signing: { since: row("trigger")?.created_at.toISOString() ?? null },
  };
}

function describe(row: ChannelRow | undefined) {
  return row ? { label: row.label, since: row.created_at.toISOString(), failure: row.failure } : null;
}
