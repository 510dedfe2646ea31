import { z } from "zod";
import { reasonKinds, severities } from "#detection/verdict.ts";
import { ways } from "#detection/ways.ts";

const valueName = z
  .string("A value needs a name.")
  .trim()
  .regex(
    /^[a-z][a-z0-9_]{0,29}$/i,
    "A value's name is a word of at most 30 letters, digits and underscores, a letter first.",
  )
  // What every object has is no name of ours.
  .refine((name) => !(name in {}), "This name is not free.");

/** A value that each check reads off the page. */
export const Follow = z.object({
  name: valueName,
  by: z
    .enum(ways)
    .describe(
      "price and availability: found by themselves in JSON-LD, microdata and metas; number: the only one in what is compared",
    ),
  rule: z
    .string()
    .max(1000, "At most 1,000 characters.")
    .default("")
    .describe("A selector (CSS, xpath:, jsonpath:) or a /pattern/, whose first group is taken"),
});

const amount = z.number("Say a number.").refine(Number.isFinite, "Say a number.");

const Condition = z.discriminatedUnion(
  "what",
  [
    z.object({
      what: z.literal("text"),
      is: z.enum(["added", "removed", "present", "absent"]),
      text: z
        .string("Say which text.")
        .max(1000, "At most 1,000 characters.")
        .refine((text) => text.trim() !== "", "Say which text."),
    }),
    z.object({
      what: z.literal("number"),
      name: z.string("Say which number.").max(30).describe("Of one of `values`"),
      is: z.enum(["below", "above", "up", "down"]),
      amount: amount.describe("The bound; of up and down by how much at least, 0 for any"),
      percent: z.boolean().default(false),
    }),
    z.object({
      what: z.literal("status"),
      is: z.string().trim().max(5).describe("A code as 404, a class as 5xx"),
    }),
    z.object({ what: z.literal("severity"), atLeast: z.enum(severities) }),
    z.object({ what: z.literal("reason"), kinds: z.array(z.enum(reasonKinds)).max(reasonKinds.length) }),
    z.object({ what: z.literal("only"), is: z.enum(["additions", "removals"]) }),
  ],
  "There is no such condition.",
);

/** What of the changes is told, and fires the trigger; all of them are kept. */
export const AlertIf = z.object({
  match: z.enum(["all", "any"], "Say all or any."),
  conditions: z.array(Condition).max(20, "At most 20 conditions."),
});
