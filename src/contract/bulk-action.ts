import { z } from "zod";
import { Outcome } from "./account.ts";

const bulkActionNames = ["run", "pause", "activate", "move", "frequency", "ignore", "delete"] as const;
export type BulkActionName = (typeof bulkActionNames)[number];

/** How long an action on several jobs can be undone. A deletion is carried out when this time is over. */
export const undoMinutes = 30;

const maxJobs = 500;

export const BulkAction = z
  .object({
    jobIds: z
      .array(z.uuid())
      .min(1, "Choose at least one job.")
      .max(maxJobs, `At most ${maxJobs} jobs at once.`),
    action: z.enum(bulkActionNames),
    groupId: z.uuid().optional().describe("For move: the group that the jobs are moved to"),
    minutes: z.int().min(1).optional().describe("For frequency: the minutes between two checks"),
    entry: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe("For ignore: one more CSS selector, /pattern/ or text to ignore"),
  })
  .superRefine(({ action, groupId, minutes, entry }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (action === "move" && !groupId) refuse("groupId", "Choose a group.");
    if (action === "frequency" && !minutes) refuse("minutes", "Whole minutes, from 1.");
    if (action === "ignore" && !entry) refuse("entry", "Enter what to ignore.");
  });
export type BulkAction = z.infer<typeof BulkAction>;

const BulkProblem = z.object({
  jobId: z.uuid(),
  name: z.string().nullable().describe("Null if there is no such job"),
  message: z.string(),
});
export type BulkProblem = z.infer<typeof BulkProblem>;

/** A past action on several jobs that can still be undone. */
export const BulkActionEntry = z.object({
  id: z.uuid(),
  action: z.enum(bulkActionNames),
  jobs: z.array(z.object({ id: z.uuid(), name: z.string() })),
  createdAt: z.iso.datetime(),
  until: z.iso.datetime().describe("Until when it can be undone; a deletion is carried out then"),
});
export type BulkActionEntry = z.infer<typeof BulkActionEntry>;

export const BulkReply = Outcome.extend({
  done: z.array(z.uuid()).describe("The jobs that were changed, or that were already as wanted"),
  problems: z.array(BulkProblem).describe("The jobs that stayed as they were, and why"),
  undo: BulkActionEntry.nullable().describe("Null if there is nothing to undo"),
});
export const BulkActions = z.object({ actions: z.array(BulkActionEntry) });
export const BulkActionParams = z.object({ actionId: z.uuid() });
