import { z } from "zod";
import { NewJob } from "./job.ts";
import { StepRun, stepNumber } from "./page-steps.ts";
import { SessionProof } from "./session-proof.ts";

export const PreviewInput = NewJob.pick({
  url: true,
  headers: true,
  waitFor: true,
  identity: true,
  pageSteps: true,
  stepSecrets: true,
  browser: true,
  proxies: true,
  request: true,
  schedule: true,
}).extend({
  groupId: NewJob.shape.groupId.optional().describe("Group whose headers are sent too, as for its jobs"),
  jobId: z.uuid().optional().describe("A job whose secrets the steps type where their values are masked"),
});
export type PreviewInput = z.infer<typeof PreviewInput>;
export const RunsPreviewInput = NewJob.pick({ schedule: true }).extend({
  jobId: z.uuid().optional().describe("A job whose settings apply where others aren't given"),
  groupId: NewJob.shape.groupId.optional().describe("Group whose schedule applies if there is no other"),
  frequency: NewJob.shape.frequency.optional(),
  count: z.int("Enter a whole number.").min(1, "At least 1.").max(50, "At most 50.").default(5),
});
export type RunsPreviewInput = z.infer<typeof RunsPreviewInput>;
export const RunsPreview = z.object({
  runs: z
    .array(z.iso.datetime())
    .describe("The next checks; those of settings that aren't saved begin up to five minutes later"),
});
export const PreviewParams = z.object({ previewId: z.uuid() });
export const PreviewStepParams = PreviewParams.extend({ step: stepNumber });

const ProposedProof = SessionProof.and(z.object({ why: z.string() }));
export type ProposedProof = z.infer<typeof ProposedProof>;

export const Preview = z.object({
  id: z.uuid(),
  url: z.string(),
  state: z.enum(["queued", "ready", "failed"]),
  error: z.string().nullable().describe("Why the page couldn't be captured, as a sentence"),
  status_code: z.int().nullable(),
  title: z.string(),
  hasImage: z.boolean(),
  steps: z.array(StepRun).describe("What the steps before the capture did"),
  proofs: z
    .array(ProposedProof)
    .describe("For the trial of an identity without a proof: what only somebody who is signed in was shown"),
});
export type Preview = z.infer<typeof Preview>;
