import { z } from "zod";

const ids = z.array(z.uuid()).min(1, "Choose at least one group.").max(50, "At most 50 groups.");

const scope = {
  jobId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  groupIds: ids.optional(),
  search: z
    .string()
    .trim()
    .min(1, "Enter what to search for.")
    .max(200, "A search has at most 200 characters.")
    .optional()
    .describe("Selects the jobs whose name or URL contains this text"),
};
/** What a report is about: a job, groups, or what a search finds. */
export type ReportScope = { jobId?: string; groupId?: string; groupIds?: string[]; search?: string };

const presentation = {
  title: z
    .string()
    .trim()
    .min(1, "Title is empty.")
    .max(120, "A title has at most 120 characters.")
    .optional(),
  note: z.string().trim().max(2000, "A note has at most 2000 characters.").optional(),
  logo: z
    .base64("The logo could not be read.")
    .max(700_000, "The logo must be at most 512 KiB.")
    .optional()
    .describe("Base64-encoded JPEG, PNG or WebP picture"),
};

const hasOneScope = ({ jobId, groupId, groupIds, search }: ReportScope) =>
  [jobId, groupId, groupIds, search].filter((part) => part !== undefined).length === 1;

/** A report on some jobs over a period; without `from`, the last 30 days. */
export const NewReport = z
  .object({
    ...scope,
    ...presentation,
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
  })
  .refine(hasOneScope, "Choose a job or a group.")
  .refine(
    ({ from, to }) => !from || !to || Date.parse(from) < Date.parse(to),
    "The report must start before it ends.",
  );
export type NewReport = z.infer<typeof NewReport>;

export const Report = z.object({
  id: z.uuid(),
  title: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  state: z.enum(["queued", "ready", "failed"]),
  done: z
    .int()
    .describe("Progress out of `total`; parts that take longer count more. Both are 0 before the start"),
  total: z.int(),
  scheduled: z.boolean(),
  sharedUntil: z.iso.datetime().nullable(),
});
export type Report = z.infer<typeof Report>;

const reportFormats = ["pdf", "html"] as const;
export type ReportFormat = (typeof reportFormats)[number];

const noReport = "There is no such report.";
export const ReportParams = z.object({ reportId: z.uuid(noReport) });
export const SharedReportParams = z.object({
  token: z.string().max(100),
  format: z.enum(reportFormats, noReport),
});
export const NewReportShare = z.object({
  days: z
    .union([z.literal(1), z.literal(7), z.literal(30)], "A link is valid for 1, 7 or 30 days.")
    .default(7),
});
export const ReportShared = z.object({ url: z.string(), expiresAt: z.iso.datetime() });

/** A report on the past week or month, created every Monday or on the first of every month, and mailed. */
export const NewSchedule = z
  .object({
    ...scope,
    ...presentation,
    every: z.enum(["week", "month"], "A report is created every week or every month."),
  })
  .refine(hasOneScope, "Choose a job or a group.");
export type NewSchedule = z.infer<typeof NewSchedule>;

export const Schedule = z.object({
  id: z.uuid(),
  title: z.string(),
  every: z.enum(["week", "month"]),
  nextAt: z.iso.datetime(),
});
export type Schedule = z.infer<typeof Schedule>;
export const ScheduleParams = z.object({ scheduleId: z.uuid("There is no such schedule.") });
