import type { Actor } from "#contract/actor.ts";
import type { Channels } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import { type Plan, planById, plans } from "#contract/plans.ts";
import { type Account, findAccount } from "#storage/accounts.ts";
import { type ChannelRow, listChannels, putChannel } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";

async function own({ db }: Pick<Deps, "db">, { accountId }: Actor): Promise<Account> {
  const account = await findAccount(db, accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  return account;
}

/** How alerts reach an account, without the secrets. */
export async function readChannels(deps: Deps, actor: Actor): Promise<Channels> {
  const [account, rows, bot] = await Promise.all([
    own(deps, actor),
    listChannels(deps.db, actor.accountId),
    deps.channels.telegram?.name() ?? null,
  ]);
  const plan = planById(account.plan_id);
  const row = (kind: ChannelRow["kind"]) => rows.find((one) => one.kind === kind);
  return {
    telegram: {
      included: plan.telegram,
      available: deps.channels.telegram !== null,
      bot,
      chat: describe(row("telegram")),
    },
    discord: { included: plan.discord, webhook: describe(row("discord")) },
    email: { address: account.email, failure: row("email")?.failure ?? null },
    signing: { since: row("trigger")?.created_at.toISOString() ?? null },
  };
}

function describe(row: ChannelRow | undefined) {
  return row ? { label: row.label, since: row.created_at.toISOString(), failure: row.failure } : null;
}

/** Sends alerts to a Discord webhook from now on; it must exist. */
export async function putDiscord(deps: Deps, actor: Actor, url: string): Promise<string> {
  const account = await own(deps, actor);
  assertInPlan(planById(account.plan_id), "discord");
  const { discord } = deps.channels;
  const reason = discord.refuse(url);
  if (reason) throw new AppError("INVALID_INPUT", reason);
  const found = await discord.look(url);
  if (!found.ok) {
    throw new AppError(found.failure.transient ? "CHANNEL_FAILED" : "INVALID_INPUT", found.failure.message);
  }
  await putChannel(deps.db, account.id, "discord", {
    secret_sealed: deps.secrets.seal(url, `channel-discord:${account.id}`),
    label: found.name,
  });
  return found.name;
}

const planWords = { telegram: "Telegram alerts", discord: "Discord alerts" };

export function assertInPlan(plan: Plan, channel: "telegram" | "discord"): void {
  if (plan[channel]) return;
  const better = plans.find((other) => other[channel]);
  throw new AppError(
    "PLAN_LIMIT_REACHED",
    `The ${plan.name} plan allows no ${planWords[channel]}. The ${better?.name} plan allows them.`,
  );
}
