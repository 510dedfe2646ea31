import { type ChannelId, fallbackChannel, hasChannel, ownChannelIds } from "#channels/channel-list.ts";
import type { PassedOver } from "#contract/delivery.ts";
import { planById } from "#plans/plans.ts";
import type { ChannelRow } from "#storage/channels.ts";

type Settings = {
  plan_id: string;
  activated_at: Date | null;
  telegram_notifications: boolean;
  email_notifications: boolean;
};

/** Channels with an on/off switch; the others are on once they are set up. */
const switches: Partial<Record<ChannelId, "telegram_notifications">> = { telegram: "telegram_notifications" };

type Why = PassedOver["why"];

/** The channels that a notification goes to, and why the others are skipped. */
export type Choice = { chosen: ChannelId[]; passedOver: PassedOver[] };

/**
 * Chooses the channels that the plan includes and that are set up and switched on. Mail is chosen if it is switched on,
 * or if a channel was switched on but none can be used; never after the user unsubscribed with a mail's own link.
 */
export function chooseChannels(
  account: Settings,
  rows: Pick<ChannelRow, "kind" | "failure" | "gone">[],
  /** Channels that this installation can send through. */
  configured: readonly ChannelId[],
  /** The notification says that a channel fails, so it goes only to channels that work. */
  isChannelFailure = false,
): Choice {
  const plan = planById(account.plan_id);
  const row = (id: ChannelId) => rows.find((one) => one.kind === id);
  const isOff = (id: ChannelId) => switches[id] !== undefined && !account[switches[id]];
  /** Why the plan, the installation or the user excludes a channel; null if none does. */
  const unwanted = (id: ChannelId): Why | null => {
    if (!hasChannel(plan, id)) return "plan";
    if (!configured.includes(id)) return "closed";
    return isOff(id) ? "off" : null;
  };
  const broken = (id: ChannelId): Why | null => {
    const found = row(id);
    if (!found) return "missing";
    if (found.gone) return "gone";
    return isChannelFailure && found.failure !== null ? "failing" : null;
  };
  const own = ownChannelIds.map((channel) => ({ channel, why: unwanted(channel) ?? broken(channel) }));
  const noneUsable = own.every(({ why }) => why !== null);
  const needsMail = noneUsable && own.some(({ channel }) => unwanted(channel) === null && switches[channel]);
  const all: { channel: ChannelId; why: Why | null }[] = [
    ...own,
    { channel: fallbackChannel, why: refuseMail(account, row(fallbackChannel), needsMail, isChannelFailure) },
  ];
  return {
    chosen: all.filter(({ why }) => why === null).map(({ channel }) => channel),
    passedOver: all.flatMap(({ channel, why }) => (why === null ? [] : [{ channel, why }])),
  };
}

function refuseMail(
  { activated_at, email_notifications }: Settings,
  mail: Pick<ChannelRow, "failure" | "gone"> | undefined,
  isNeeded: boolean,
  isChannelFailure: boolean,
): Why | null {
  if (activated_at === null) return "unconfirmed";
  if (isChannelFailure && mail?.failure) return "failing";
  return email_notifications || (isNeeded && !mail?.gone) ? null : "off";
}
