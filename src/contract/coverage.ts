import { z } from "zod";
import { ways } from "#detection/followed-values/followed-value-sources.ts";
import { ExecutionParams } from "./job.ts";
import { PreviewParams } from "./preview.ts";
import { CompareAs, TextSteps } from "./text-steps.ts";

/** Rules while the user types them. The reply reports an invalid rule instead of refusing the call. */
export const CoverInput = z.object({
  selector: z.string().max(10_000).nullish(),
  ignore: z.array(z.string().max(100_000)).max(50).default([]),
  values: z
    .array(z.object({ by: z.enum(ways), rule: z.string().max(100_000).default("") }))
    .max(10)
    .default([])
    .describe("Values to read from the capture, as in a job's `values`"),
  steps: TextSteps.default([]).describe("Steps to apply, as in a job's `steps`"),
  compareAs: CompareAs.nullish(),
});
export type CoverInput = z.infer<typeof CoverInput>;

const Coverage = z.union([
  z.object({ what: z.enum(["element", "line", "value"]), count: z.int(), words: z.int() }),
  z.object({ problem: z.string() }),
]);
export type Coverage = z.infer<typeof Coverage>;
export const CoverReply = z.object({
  selector: z.array(Coverage).describe("One entry for each line of `selector` that isn't empty"),
  ignore: z.array(Coverage),
  values: z
    .array(
      z.union([
        z.object({
          text: z.string().nullable().describe("Null if the value wasn't found"),
          number: z.number().nullable(),
          box: z
            .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
            .nullable()
            .describe("Where it is on the picture, in pixels; null if unknown"),
        }),
        z.object({ problem: z.string() }),
      ]),
    )
    .describe("One entry for each of `values`"),
  steps: z
    .array(
      z.union([
        z.object({ count: z.int(), lines: z.array(z.string()).describe("The first of them") }),
        z.object({ problem: z.string() }),
      ]),
    )
    .describe("The lines before the first step, then those after each step; empty without steps"),
  image: z.string().describe("Path of the picture of the capture that was measured"),
  of: z.string().describe("Name of the capture that was measured"),
});

export const Elements = z.object({
  elements: z
    .array(z.tuple([z.int(), z.int(), z.string(), z.number(), z.number(), z.number(), z.number()]))
    .nullable()
    .describe(
      "Each element's index in the page, its parent's index in this list (-1 if none), its tag, and its x, y, width and height on the picture in pixels; null if the positions weren't recorded",
    ),
});

const at = z.coerce.number().int().min(0);
export const ElementParams = ExecutionParams.extend({ at });
export const PreviewElementParams = PreviewParams.extend({ at });
export const Picked = z.object({
  selector: z.string(),
  holds: z.boolean().describe("Whether the selector still matches when siblings are added or removed"),
  covers: Coverage,
});
