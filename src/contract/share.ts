import { z } from "zod";
import { Comparison } from "./job.ts";

const shareDays = [1, 7, 30] as const;

/** One comparison to show to anyone who has the link. */
export const NewShare = z.object({
  executionId: z.uuid("Choose an execution."),
  /** The execution to compare with; by default the baseline of its verdict. */
  fromId: z.uuid().optional(),
  days: z
    .union(
      shareDays.map((days) => z.literal(days)),
      "A link is valid for 1, 7 or 30 days.",
    )
    .default(7),
});
export const ShareMade = z.object({
  id: z.uuid(),
  token: z.string(),
  url: z.string(),
  expiresAt: z.iso.datetime(),
});

/** A link as its owner sees it. The token is shown only once, when the link is created. */
export const Share = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  jobName: z.string(),
  executionId: z.uuid(),
  index: z.int(),
  fromIndex: z.int().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Share = z.infer<typeof Share>;

const SharedCapture = z.object({
  createdAt: z.iso.datetime(),
  status_code: z.int().nullable(),
  hasImage: z.boolean(),
  importedAt: z.iso
    .datetime()
    .nullable()
    .describe("When the execution was imported; null if it was captured here"),
});

/** What anyone with the link sees: the page and how it changed, but nothing about who watches it. */
export const SharedComparison = z.object({
  page: z.string().describe("The page's URL without its query"),
  expiresAt: z.iso.datetime(),
  before: SharedCapture.nullable(),
  after: SharedCapture,
  comparison: Comparison.omit({ from: true, to: true, hunks: true, ignored: true, sights: true }).nullable(),
});
export type SharedComparison = z.infer<typeof SharedComparison>;

export const ShareToken = z.object({ token: z.string().max(100) });
export const SharePart = ShareToken.extend({ side: z.enum(["before", "after"]) });
