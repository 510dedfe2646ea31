import { createHash, randomBytes } from "node:crypto";
import type { Channels } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import { type Plan, planById, plans } from "#contract/plans.ts";
import { type Account, findAccount, updateAccount } from "#storage/accounts.ts";
import { type ChannelRow, listChannels, markFailing, putChannel } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import type { DeliveryDeps } from "./delivery-deps.ts";
import type { Actor } from "./deps.ts";
import { openUnsubscribe } from "./send-to.ts";

async function own({ db }: Pick<DeliveryDeps, "db">, { accountId }: Actor): Promise<Account> {
  const account = await findAccount(db, accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  return account;
}

/** How alerts reach an account, without the secrets. */
export async function readChannels(deps: DeliveryDeps, actor: Actor): Promise<Channels> {
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
export async function putDiscord(deps: DeliveryDeps, actor: Actor, url: string): Promise<string> {
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

/** Replaces the token that links a chat: the old one is worthless from now on. */
export async function renewBotToken(
  { secrets }: Pick<DeliveryDeps, "secrets">,
  tx: Database,
  accountId: string,
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await updateAccount(tx, accountId, {
    bot_token_sealed: secrets.seal(token, `bot-token:${accountId}`),
    bot_token_hash: createHash("sha256").update(token).digest(),
  });
  return token;
}

/** Ends all alerts by mail, also those that stand in for another channel; false when the link is not ours. */
export async function unsubscribe(deps: DeliveryDeps, token: string): Promise<boolean> {
  const accountId = openUnsubscribe(deps, token);
  if (!accountId) return false;
  await deps.db.transaction().execute(async (tx) => {
    if (!(await findAccount(tx, accountId))) return;
    await updateAccount(tx, accountId, { email_notifications: false });
    await markFailing(tx, accountId, "email", { message: "Unsubscribed by the link in a mail.", gone: true });
  });
  return true;
}
