import { z } from "zod";
import { channelIds } from "#channels/channel-list.ts";

const speeds = ["at-once", "hourly", "daily"] as const;

const Hour = z.int("Whole hours.").min(0).max(23);
const Speed = z.enum(speeds, "Choose at-once, hourly or daily.");

/** When a channel delivers alerts, by severity. Critical alerts are always sent immediately. */
export const Pace = z.object({
  important: Speed,
  notice: Speed.describe("For alerts of severity notice or lower"),
  dailyAt: Hour.default(8).describe("Hour at which the daily digest is sent, 0 to 23"),
  quiet: z
    .object({ from: Hour, to: Hour })
    .refine(({ from, to }) => from !== to, {
      path: ["to"],
      message: "Quiet hours must end at another hour than they start.",
    })
    .nullable()
    .describe("Hours in which no alerts are sent, except critical ones; they may span midnight"),
  zone: z.string("Choose a time zone.").max(60).describe("IANA time zone, such as Europe/Berlin"),
});
export type Pace = z.infer<typeof Pace>;

export const Paces = z.object({
  paces: z
    .partialRecord(z.enum(channelIds), Pace)
    .describe("Schedules by channel; a channel that isn't listed sends immediately"),
});
