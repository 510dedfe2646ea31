import type { ChannelId, GivenChannelId } from "#contract/channels.ts";
import type { EgressAllow } from "#network/egress-allow.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { Channel, GivenChannel } from "./channel.ts";
import { openDiscord } from "./channels/discord.ts";
import { openMailChannel } from "./channels/mail.ts";
import { openMatrix } from "./channels/matrix.ts";
import { openNtfy } from "./channels/ntfy.ts";
import { openPush, type PushKeys } from "./channels/push.ts";
import { openSlack } from "./channels/slack.ts";
import { openTeams } from "./channels/teams.ts";
import type { Telegram } from "./channels/telegram.ts";
import { openWebhook } from "./channels/webhook.ts";
import type { Mailer } from "./mailer.ts";
import type { Pace } from "./pace.ts";
import { sendTrigger, type TriggerCall, type TriggerResult } from "./send-trigger.ts";

/** Everything a message can go out by; a channel is null where the installation has not what it needs. */
export type Channels = Record<ChannelId, Channel | null> &
  Record<GivenChannelId, GivenChannel> & {
    telegram: Telegram | null;
    trigger(call: TriggerCall): Promise<TriggerResult>;
  };

export async function openChannels(options: {
  mailer: Mailer;
  http: GuardedFetch;
  allow: EgressAllow;
  pace: Pace;
  baseUrl: string;
  telegram: { token: string; apiRoot?: string } | null;
  pushKeys: PushKeys;
}): Promise<Channels> {
  const { mailer, http, allow, pace, baseUrl, telegram, pushKeys } = options;
  return {
    email: openMailChannel(mailer, baseUrl),
    telegram: telegram && (await import("./channels/telegram.ts")).openTelegram({ ...telegram, pace }),
    discord: openDiscord({ http, allow, pace }),
    slack: openSlack({ http, allow, pace }),
    teams: openTeams({ http, allow, pace }),
    ntfy: openNtfy({ http, pace }),
    matrix: openMatrix({ http, pace }),
    push: openPush({ http, keys: pushKeys, subject: contactOf(baseUrl) }),
    webhook: openWebhook({ http, pace }),
    trigger: (call) => sendTrigger(http, call),
  };
}

/** Push services want to know whom to ask; they take https and mail addresses only. */
function contactOf(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? baseUrl : "mailto:nobody@localhost";
}
