import { type ChannelId, hasChannel, lastResort, ownChannelIds } from "#contract/channels.ts";
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
): ChannelId[] {
  const plan = planById(account.plan_id);
  const row = (id: ChannelId) => rows.find((one) => one.kind === id);
  const works = (id: ChannelId) => {
    const found = row(id);
    return found !== undefined && !found.gone && !(isTold && found.failure !== null);
  };
  const isOn = (id: ChannelId) => switches[id] === undefined || account[switches[id]];
  const wanted = ownChannelIds.filter((id) => hasChannel(plan, id) && open.includes(id) && isOn(id));
  const chosen = wanted.filter(works);
  const misses = chosen.length === 0 && wanted.some((id) => switches[id] !== undefined);
  const mail = row(lastResort);
  const mayMail = account.activated_at !== null && !(isTold && mail?.failure);
  const byMail = mayMail && (account.email_notifications || (misses && !mail?.gone));
  return byMail ? [...chosen, lastResort] : chosen;
}
