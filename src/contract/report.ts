import { z } from "zod";

const ids = z.array(z.uuid()).min(1, "Choose at least one group.").max(50, "At most 50 groups.");

const scope = {
  jobId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  groupIds: ids.optional(),
  search: z
    .string()
    .trim()
    .min(1, "Say what to search for.")
    .max(200, "A search has at most 200 characters.")
    .optional()
    .describe("Jobs whose name or address contains it"),
};
/** What a report is about: a job, groups, or what a search finds. */
export type ReportScope = { jobId?: string; groupId?: string; groupIds?: string[]; search?: string };

const dress = {
  title: z
    .string()
    .trim()
    .min(1, "Title is empty.")
    .max(120, "A title has at most 120 characters.")
    .optional(),
  note: z.string().trim().max(2000, "A note has at most 2000 characters.").optional(),
  logo: z
    .base64("The logo could not be read.")
    .max(700_000, "The logo must be at most 500 KB.")
    .optional()
    .describe("A JPEG, PNG or WebP picture, base64"),
};

const one = ({ jobId, groupId, groupIds, search }: ReportScope) =>
  [jobId, groupId, groupIds, search].filter((part) => part !== undefined).length === 1;

/** What was seen of some jobs over a time; without `from`, the last 30 days. */
export const NewReport = z
  .object({
    ...scope,
    ...dress,
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
  })
  .refine(one, "Choose a job or a group.")
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
  done: z.int().describe("Of `total`, which weighs each part by the time it takes; 0 of 0 before"),
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
  days: z.union([z.literal(1), z.literal(7), z.literal(30)], "A link lives 1, 7 or 30 days.").default(7),
});
export const ReportShared = z.object({ url: z.string(), expiresAt: z.iso.datetime() });

/** A report that is made every Monday or on every first of a month, about the time before, and mailed. */
export const NewSchedule = z
  .object({
    ...scope,
    ...dress,
    every: z.enum(["week", "month"], "A report comes every week or every month."),
  })
  .refine(one, "Choose a job or a group.");
export type NewSchedule = z.infer<typeof NewSchedule>;

export const Schedule = z.object({
  id: z.uuid(),
  title: z.string(),
  every: z.enum(["week", "month"]),
  nextAt: z.iso.datetime(),
});
export type Schedule = z.infer<typeof Schedule>;
export const ScheduleParams = z.object({ scheduleId: z.uuid("There is no such schedule.") });
