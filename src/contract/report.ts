import { z } from "zod";

/** A job's or a group's history over a time; without `from`, the last 30 days. */
export const NewReport = z
  .object({
    jobId: z.uuid().optional(),
    groupId: z.uuid().optional(),
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
  })
  .refine(({ jobId, groupId }) => !jobId !== !groupId, "Choose a job or a group.")
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
});
export type Report = z.infer<typeof Report>;

export const ReportParams = z.object({ reportId: z.uuid("There is no such report.") });
