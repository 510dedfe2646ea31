import { z } from "zod";

/** One URL in an imported file: the job that it becomes, what is left out, and why it can't become a job. */
export const ImportItem = z.object({
  name: z.string(),
  url: z.string(),
  group: z.string(),
  frequency: z.int(),
  paused: z.boolean(),
  selector: z.string().nullable(),
  ignore: z.array(z.string()),
  lookup: z.array(z.string()),
  headers: z.array(z.string()).describe("Names of the headers, without their values"),
  waitFor: z.boolean(),
  more: z.array(z.string()).describe("Other settings of the job, as sentences"),
  notes: z.array(z.string()).describe("What was changed or left out, as sentences"),
  problem: z.string().nullable().describe("Why no job can be created; null if one can"),
});
export type ImportItem = z.infer<typeof ImportItem>;

export const ImportReply = z.object({
  format: z.string().describe("The detected format of the file"),
  dryRun: z.boolean(),
  taken: z.int().describe("Number of jobs created, or that would be created in a dry run"),
  items: z.array(ImportItem),
  channels: z.array(z.string()).describe("What happens to channels and group settings, as sentences"),
});
export type ImportReply = z.infer<typeof ImportReply>;

export const ImportQuery = z.object({
  dryRun: z
    .enum(["true", "false"])
    .default("false")
    .describe("If true, nothing is imported, and the reply shows what would be"),
});
