import { z } from "zod";

/** One address of a file: what it becomes, what of it is left out, and why it cannot be where it cannot. */
export const ImportItem = z.object({
  name: z.string(),
  url: z.string(),
  group: z.string(),
  frequency: z.int(),
  paused: z.boolean(),
  selector: z.string().nullable(),
  ignore: z.array(z.string()),
  lookup: z.array(z.string()),
  headers: z.array(z.string()).describe("Names only"),
  waitFor: z.boolean(),
  more: z.array(z.string()).describe("What else it becomes, in words"),
  notes: z.array(z.string()).describe("What is changed or left out"),
  problem: z.string().nullable().describe("Why no job comes of it"),
});
export type ImportItem = z.infer<typeof ImportItem>;

export const ImportReply = z.object({
  format: z.string().describe("What the file was taken for"),
  dryRun: z.boolean(),
  taken: z.int().describe("How many become jobs"),
  items: z.array(ImportItem),
  channels: z.array(z.string()).describe("What it says of channels, in sentences"),
});
export type ImportReply = z.infer<typeof ImportReply>;

export const ImportQuery = z.object({
  dryRun: z.enum(["true", "false"]).default("false").describe("true: nothing is made, only told"),
});
