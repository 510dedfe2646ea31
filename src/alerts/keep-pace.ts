import type { Actor } from "#contract/actor.ts";
import type { ChannelId } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import type { Pace } from "#contract/pace.ts";
import { refuseTimetable } from "#contract/timetable.ts";
import { putPace } from "#storage/paces.ts";
import type { Deps } from "./deps.ts";

/** Keeps how soon a channel tells what; it holds for what happens from now on. */
export async function keepPace(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  channel: ChannelId,
  pace: Pace,
): Promise<void> {
  const refused = refuseTimetable({ zone: pace.zone, cron: "0 * * * *" }, new Date());
  if (refused) throw new AppError("INVALID_INPUT", refused.reason, { field: "zone" });
  await putPace(db, accountId, channel, pace);
}
