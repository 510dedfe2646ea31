import type { Deps } from "#alerts/deps.ts";
import type { ChannelId } from "#channels/channel-list.ts";
import type { Actor } from "#contract/actor.ts";
import type { Pace } from "#contract/delivery-schedule.ts";
import { AppError } from "#contract/errors.ts";
import { refuseTimetable } from "#scheduling/timetable.ts";
import { putPace } from "#storage/delivery-schedules.ts";

/** Saves a channel's delivery schedule, which applies to notifications from now on. */
export async function setDeliverySchedule(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  channel: ChannelId,
  pace: Pace,
): Promise<void> {
  const refusal = refuseTimetable({ zone: pace.zone, cron: "0 * * * *" }, new Date());
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: "zone" });
  await putPace(db, accountId, channel, pace);
}
