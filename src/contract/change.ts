import { z } from "zod";
import { severities } from "#detection/severity/severity.ts";

const Line = z.object({ sign: z.enum(["+", "-"]), text: z.string() });

/** One change of one job, with its added and removed lines. The texts come from the watched page. */
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
  folded: z
    .boolean()
    .describe("Whether the change is only in the notifications and the daily digest, without an alert"),
  suppressed: z
    .string()
    .nullable()
    .describe("Why the job's conditions held the alert back; null if they didn't"),
  lines: z.array(Line).describe("Added and removed lines, at most 40"),
  moreLines: z.int(),
  link: z.string().describe("URL of the change in the web application"),
});
export type Change = z.infer<typeof Change>;

export const ChangeQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Text to find in job names, URLs, summaries and changed text"),
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
  tags: z.array(z.string()),
  lastCheckAt: z.iso.datetime().nullable(),
  error: z.string().nullable().describe("Why the last check failed; null if it didn't"),
  lastChange: z
    .object({
      executionId: z.uuid(),
      at: z.iso.datetime(),
      severity: z.enum(severities),
      summary: z.string(),
      text: z.string().describe("The changed text, up to 500 characters"),
    })
    .nullable()
    .optional()
    .describe("The newest change, or null if there was none; only with `lastChange=true`"),
  lastExecutionId: z.uuid().nullable(),
  nextRunAt: z.iso.datetime().nullable(),
  deleteAt: z.iso
    .datetime()
    .nullable()
    .describe("When the job is deleted, if it was deleted and that can still be undone"),
});
export type JobLine = z.infer<typeof JobLine>;
export const JobLines = z.object({
  jobs: z.array(JobLine),
  nextCursor: z.uuid().nullable().describe("The cursor of the next page; null if this is the last one"),
});
export const JobFilter = z.object({
  groupId: z.uuid().optional(),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe("How many jobs a page has; all jobs are listed if it is missing"),
  cursor: z.uuid().optional(),
  lastChange: z.enum(["true", "false"]).optional().describe("Whether to add each job's newest change"),
});
export type JobFilter = z.infer<typeof JobFilter>;
