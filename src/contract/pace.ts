import { z } from "zod";
import { channelIds } from "./channels.ts";

const paces = ["at-once", "hourly", "daily"] as const;

const Hour = z.int("Whole hours.").min(0).max(23);
const Speed = z.enum(paces, "Say at-once, hourly or daily.");

/** How soon a channel tells what, by severity; what is critical is told at once, whatever the hour. */
export const Pace = z.object({
  important: Speed,
  notice: Speed.describe("And what is less"),
  dailyAt: Hour.default(8).describe("The hour of the daily message"),
  quiet: z
    .object({ from: Hour, to: Hour })
    .refine(({ from, to }) => from !== to, {
      path: ["to"],
      message: "Quiet hours end at another hour than they begin.",
    })
    .nullable()
    .describe("Hours in which nothing is told; they may pass midnight"),
  zone: z.string("Say in which time zone.").max(60).describe("As Europe/Berlin"),
});
export type Pace = z.infer<typeof Pace>;

export const Paces = z.object({
  paces: z.partialRecord(z.enum(channelIds), Pace).describe("A channel that is not here tells at once"),
});
