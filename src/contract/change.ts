import { z } from "zod";
import { severities } from "#detection/verdict.ts";

const Line = z.object({ sign: z.enum(["+", "-"]), text: z.string() });

/** One change of one job, with what came and what went. Its texts are the watched page's own words. */
export const Change = z.object({
  executionId: z.uuid(),
  jobId: z.uuid(),
  job: z.string(),
  url: z.string(),
  groupId: z.uuid(),
  group: z.string(),
  at: z.iso.datetime(),
  severity: z.enum(severities),
  summary: z.string(),
  folded: z.boolean().describe("Told in the feed and the day's digest only"),
  lines: z.array(Line).describe("At most 40"),
  moreLines: z.int(),
  link: z.string().describe("The change in the viewer"),
});
export type Change = z.infer<typeof Change>;

export const ChangeQuery = z.object({
  q: z.string().trim().min(1).max(200).optional().describe("In names, addresses, summaries and changed text"),
  jobId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.uuid().optional(),
});
export type ChangeQuery = z.infer<typeof ChangeQuery>;
export const ChangePage = z.object({ changes: z.array(Change), nextCursor: z.uuid().nullable() });

export const JobLine = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  status: z.enum(["ACTIVE", "INACTIVE", "DISABLED", "PAUSED", "INTERRUPTED"]),
  groupId: z.uuid(),
  group: z.string(),
  frequencyMinutes: z.int(),
  executions: z.int(),
  changes: z.int(),
  failing: z.boolean(),
  lastExecutionId: z.uuid().nullable(),
  nextRunAt: z.iso.datetime().nullable(),
});
export type JobLine = z.infer<typeof JobLine>;
export const JobLines = z.object({ jobs: z.array(JobLine) });
export const JobFilter = z.object({ groupId: z.uuid().optional() });
