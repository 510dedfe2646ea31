import { z } from "zod";
import { Outcome } from "./account.ts";

const feedFormats = ["atom", "rss", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** A secret address: whoever has it reads the changes, without signing in. */
export const FeedAddress = z.object({
  id: z.uuid(),
  jobId: z.uuid().nullable(),
  groupId: z.uuid().nullable().describe("Both null: all jobs"),
  title: z.string(),
  since: z.iso.datetime(),
  urls: z.object({ atom: z.string(), rss: z.string(), json: z.string() }),
});
export type FeedAddress = z.infer<typeof FeedAddress>;
export const FeedAddresses = z.object({ feeds: z.array(FeedAddress) });
export const FeedReply = Outcome.extend({ feed: FeedAddress });
export const NewFeed = z
  .object({ jobId: z.uuid().optional(), groupId: z.uuid().optional() })
  .refine(({ jobId, groupId }) => !jobId || !groupId, "A feed is of a job or of a group, not of both.");
export const FeedParams = z.object({ feedId: z.uuid() });
export const FeedToken = z.object({ token: z.string().max(100), format: z.enum(feedFormats) });
