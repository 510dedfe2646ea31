import { z } from "zod";
import { NewJob } from "./job.ts";

export const PreviewInput = NewJob.pick({
  url: true,
  headers: true,
  waitFor: true,
  request: true,
  schedule: true,
}).extend({
  groupId: NewJob.shape.groupId.optional().describe("Whose headers are sent along, as its jobs send them"),
});
export type PreviewInput = z.infer<typeof PreviewInput>;
export const PreviewParams = z.object({ previewId: z.uuid() });

export const Preview = z.object({
  id: z.uuid(),
  url: z.string(),
  state: z.enum(["queued", "ready", "failed"]),
  error: z.string().nullable().describe("Why there is nothing to see, in words"),
  status_code: z.int().nullable(),
  title: z.string(),
  hasImage: z.boolean(),
});
export type Preview = z.infer<typeof Preview>;
