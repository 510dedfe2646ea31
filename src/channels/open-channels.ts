import type { Mailer } from "#mail/mailer.ts";
import type { EgressAllow } from "#network/address-rules/egress-allow.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { Channel, GivenChannel } from "./channel.ts";
import type { ChannelId, GivenChannelId } from "./channel-list.ts";
import { openDiscord } from "./discord.ts";
import { openMailChannel } from "./mail.ts";
import { openMatrix } from "./matrix.ts";
import { openNtfy } from "./ntfy.ts";
import { openPush, type PushKeys } from "./push.ts";
import type { SendRate } from "./send-rate.ts";
import { openSlack } from "./slack.ts";
import { openTeams } from "./teams.ts";
import type { Telegram } from "./telegram.ts";
import { openWebhook } from "./webhook.ts";

/** All channels that can send messages; null if the installation lacks what a channel needs. */
export type Channels = Record<ChannelId, Channel | null> &
  Record<GivenChannelId, GivenChannel> & { telegram: Telegram | null };

export async function openChannels(options: {
  mailer: Mailer;
  http: GuardedFetch;
  allow: EgressAllow;
  pace: SendRate;
  baseUrl: string;
  telegram: { token: string; apiRoot?: string } | null;
  pushKeys: PushKeys;
}): Promise<Channels> {
  const { mailer, http, allow, pace, baseUrl, telegram, pushKeys } = options;
  return {
    email: openMailChannel(mailer, baseUrl),
    telegram: telegram && (await import("./telegram.ts")).openTelegram({ ...telegram, pace }),
    discord: openDiscord({ http, allow, pace }),
    slack: openSlack({ http, allow, pace }),
    teams: openTeams({ http, allow, pace }),
    ntfy: openNtfy({ http, pace }),
    matrix: openMatrix({ http, pace }),
    push: openPush({ http, keys: pushKeys, subject: contactOf(baseUrl) }),
    webhook: openWebhook({ http, pace }),
  };
}

/** Push services require a contact; they accept only https and mail addresses. */
function contactOf(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? baseUrl : "mailto:nobody@localhost";
}
