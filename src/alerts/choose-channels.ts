import { type ChannelId, hasChannel, lastResort, ownChannelIds } from "#contract/channels.ts";
import type { PassedOver } from "#contract/delivery.ts";
import { planById } from "#contract/plans.ts";
import type { ChannelRow } from "#storage/channels.ts";

type Settings = {
  plan_id: string;
  activated_at: Date | null;
  telegram_notifications: boolean;
  email_notifications: boolean;
};

/** Channels that are switched on and off; the others are on when they are set up. */
const switches: Partial<Record<ChannelId, "telegram_notifications">> = { telegram: "telegram_notifications" };

type Why = PassedOver["why"];

/** Which channels tell of an event, and why the others do not. */
export type Choice = { chosen: ChannelId[]; passedOver: PassedOver[] };

/**
 * Those that the plan has, that are set up and switched on. Mail when it is switched on, and when a channel was switched
 * on but none can be used; never after the user unsubscribed by a mail's own link.
 */
export function chooseChannels(
  account: Settings,
  rows: Pick<ChannelRow, "kind" | "failure" | "gone">[],
  /** What this installation can send by. */
  open: readonly ChannelId[],
  /** The event is that a channel fails: then it is told by the others. */
  isTold = false,
): Choice {
  const plan = planById(account.plan_id);
  const row = (id: ChannelId) => rows.find((one) => one.kind === id);
  const isOff = (id: ChannelId) => switches[id] !== undefined && !account[switches[id]];
  /** Null where nothing is in the way. */
  const unwanted = (id: ChannelId): Why | null => {
    if (!hasChannel(plan, id)) return "plan";
    if (!open.includes(id)) return "closed";
    return isOff(id) ? "off" : null;
  };
  const broken = (id: ChannelId): Why | null => {
    const found = row(id);
    if (!found) return "missing";
    if (found.gone) return "gone";
    return isTold && found.failure !== null ? "failing" : null;
  };
  const own = ownChannelIds.map((channel) => ({ channel, why: unwanted(channel) ?? broken(channel) }));
  const isMissed = own.every(({ why }) => why !== null);
  const misses = isMissed && own.some(({ channel }) => unwanted(channel) === null && switches[channel]);
  const all: { channel: ChannelId; why: Why | null }[] = [
    ...own,
    { channel: lastResort, why: refuseMail(account, row(lastResort), misses, isTold) },
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
  isTold: boolean,
): Why | null {
  if (activated_at === null) return "unconfirmed";
  if (isTold && mail?.failure) return "failing";
  return email_notifications || (isNeeded && !mail?.gone) ? null : "off";
}
