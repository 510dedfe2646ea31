import { z } from "zod";

/** One run of a trigger, as shown in the list of the last hundred runs. */
export const TriggerRunLine = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  job: z.string(),
  executionId: z.uuid(),
  state: z.enum(["waiting", "sent", "failed"]),
  byHand: z.boolean(),
  attempts: z.int(),
  status: z.int().nullable().describe("HTTP status of the receiver's last response"),
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  replayable: z.boolean().describe("Whether the run can be repeated: the job still has a trigger"),
});
export type TriggerRunLine = z.infer<typeof TriggerRunLine>;
export const TriggerRunLines = z.object({ runs: z.array(TriggerRunLine) });
