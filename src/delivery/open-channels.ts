import type { EgressAllow } from "#network/egress-allow.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { type Discord, openDiscord } from "./channels/discord.ts";
import { type MailChannel, openMailChannel } from "./channels/mail.ts";
import { openTelegram, type Telegram } from "./channels/telegram.ts";
import type { Mailer } from "./mailer.ts";
import type { Pace } from "./pace.ts";
import { sendTrigger, type TriggerCall, type TriggerResult } from "./send-trigger.ts";

export type Channels = {
  /** Null where the installation has no bot. */
  telegram: Telegram | null;
  discord: Discord;
  mail: MailChannel;
  trigger(call: TriggerCall): Promise<TriggerResult>;
};

/** Everything a message can go out by. */
export function openChannels(options: {
  mailer: Mailer;
  http: GuardedFetch;
  allow: EgressAllow;
  pace: Pace;
  baseUrl: string;
  telegram: { token: string; apiRoot?: string } | null;
}): Channels {
  const { mailer, http, allow, pace, baseUrl, telegram } = options;
  return {
    telegram: telegram && openTelegram({ ...telegram, pace }),
    discord: openDiscord({ http, allow, pace }),
    mail: openMailChannel(mailer, baseUrl),
    trigger: (call) => sendTrigger(http, call),
  };
}
