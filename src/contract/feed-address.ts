import { z } from "zod";
import { Outcome } from "./account.ts";

const feedFormats = ["atom", "rss", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** A secret address. Anyone who has it can read the changes without signing in. */
export const FeedAddress = z.object({
  id: z.uuid(),
  jobId: z.uuid().nullable(),
  groupId: z.uuid().nullable().describe("If `jobId` and `groupId` are both null, the feed covers all jobs"),
  title: z.string(),
  since: z.iso.datetime(),
  urls: z.object({ atom: z.string(), rss: z.string(), json: z.string() }),
});
export type FeedAddress = z.infer<typeof FeedAddress>;
export const FeedAddresses = z.object({ feeds: z.array(FeedAddress) });
export const FeedReply = Outcome.extend({ feed: FeedAddress });
export const NewFeed = z
  .object({ jobId: z.uuid().optional(), groupId: z.uuid().optional() })
  .refine(({ jobId, groupId }) => !jobId || !groupId, "A feed covers a job or a group, not both.");
export const FeedParams = z.object({ feedId: z.uuid() });
export const FeedQuery = z.object({
  withoutAlert: z
    .enum(["true", "false"])
    .default("false")
    .describe("If true, changes without an alert are listed too, marked as such"),
});
export const FeedToken = z.object({ token: z.string().max(100), format: z.enum(feedFormats) });
