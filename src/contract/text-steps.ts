import { z } from "zod";
import { stepKinds, stepNames } from "#detection/selectors-and-ignore-rules/step-kinds.ts";

const describe = Object.entries(stepKinds)
  .map(([name, { means }]) => `${name}: ${means}`)
  .join("; ");

export const CompareAs = z.enum(["page", "source"], "Choose page or source.");

/** What is done, one step after the other, with the lines that the rules leave of a capture. */
export const TextSteps = z
  .array(
    z.object({
      do: z.enum(stepNames, "There is no such step.").describe(describe),
      text: z
        .string()
        .max(1000, "At most 1,000 characters.")
        .default("")
        .describe("The text, /pattern/ or number of lines"),
      to: z.string().max(1000, "At most 1,000 characters.").default("").describe("The second text"),
    }),
  )
  .max(20, "At most 20 steps.");
