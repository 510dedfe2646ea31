import { z } from "zod";
import { ExecutionParams } from "./job.ts";
import { PreviewParams } from "./preview.ts";

/** Rules as they are being typed: what is wrong with one is told with the others, not refused. */
export const CoverInput = z.object({
  selector: z.string().max(100_000).nullish(),
  ignore: z.array(z.string().max(100_000)).max(50).default([]),
});
export type CoverInput = z.infer<typeof CoverInput>;

const Coverage = z.union([
  z.object({ what: z.enum(["element", "line", "value"]), count: z.int(), words: z.int() }),
  z.object({ problem: z.string() }),
]);
export type Coverage = z.infer<typeof Coverage>;
export const CoverReply = z.object({
  selector: z.array(Coverage).describe("One for each line"),
  ignore: z.array(Coverage),
  of: z.string().describe("Which capture they were held against, in words"),
});

export const Elements = z.object({
  elements: z
    .array(z.tuple([z.int(), z.int(), z.string(), z.number(), z.number(), z.number(), z.number()]))
    .nullable()
    .describe(
      "Number, place of the parent in this list, name, and box on the picture; null where nobody looked",
    ),
});

const at = z.coerce.number().int().min(0);
export const ElementParams = ExecutionParams.extend({ at });
export const PreviewElementParams = PreviewParams.extend({ at });
export const Picked = z.object({
  selector: z.string(),
  holds: z.boolean().describe("Siblings may come and go; else it counts places"),
  covers: Coverage,
});
