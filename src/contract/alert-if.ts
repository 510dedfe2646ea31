import { z } from "zod";
import { ways } from "#detection/followed-values/followed-value-sources.ts";
import { severities } from "#detection/severity/severity.ts";
import { reasonKinds } from "#detection/verdict/verdict.ts";

const valueName = z
  .string("A value needs a name.")
  .trim()
  .regex(
    /^[a-z][a-z0-9_]{0,29}$/i,
    "A value's name is a word of at most 30 letters, digits and underscores, a letter first.",
  )
  // Names that every object inherits, such as `constructor`, can't be used.
  .refine((name) => !(name in {}), "This name is reserved.");

/** A value that each check reads from the page. */
export const Follow = z.object({
  name: valueName,
  by: z
    .enum(ways)
    .describe(
      "How the value is found. price, availability: from JSON-LD, microdata or meta tags; number: the only number in the compared part; selector, pattern: by `rule`",
    ),
  rule: z
    .string()
    .max(1000, "At most 1,000 characters.")
    .default("")
    .describe("A selector (CSS, xpath: or jsonpath:) or a /pattern/, whose first group is the value"),
});

const amount = z.number("Enter a number.").refine(Number.isFinite, "Enter a number.");

export const sizeUnits = ["characters", "words", "lines"] as const;

/** Each kind of condition; adding one starts here. */
const Condition = z.discriminatedUnion(
  "what",
  [
    z.object({
      what: z.literal("text"),
      is: z.enum(["added", "removed", "present", "absent"]),
      text: z
        .string("Enter the text.")
        .max(1000, "At most 1,000 characters.")
        .refine((text) => text.trim() !== "", "Enter the text."),
    }),
    z.object({
      what: z.literal("number"),
      name: z
        .string("Choose a number.")
        .max(30)
        .describe(
          "Name of one of the job's `values`; a group's condition applies to jobs with a value of that name",
        ),
      is: z.enum(["below", "above", "up", "down"]),
      amount: amount.describe(
        "The limit for below and above; the minimum change for up and down since the previous check or the last alert, 0 for any change",
      ),
      percent: z.boolean().default(false).describe("For up and down: the amount is a percentage"),
    }),
    z.object({
      what: z.literal("status"),
      is: z.string().trim().max(5).describe("A status code such as 404, or a class such as 5xx"),
    }),
    z.object({ what: z.literal("severity"), atLeast: z.enum(severities) }),
    z.object({ what: z.literal("reason"), kinds: z.array(z.enum(reasonKinds)).max(reasonKinds.length) }),
    z.object({
      what: z.literal("size"),
      of: z.enum(sizeUnits, "Choose characters, words or lines."),
      is: z.enum(["below", "above"]),
      amount: amount.describe("The limit for the text of what is compared, as it is now"),
    }),
    z.object({
      what: z.literal("similarity"),
      is: z.enum(["below", "above"]),
      amount: amount.describe("The share of the text that both captures have in common, 0 to 100"),
    }),
    z.object({
      what: z.literal("matches"),
      is: z.enum(["below", "above"]),
      text: z
        .string("Enter the text.")
        .max(1000, "At most 1,000 characters.")
        .refine((text) => text.trim() !== "", "Enter the text."),
      amount: amount.describe("The limit for how often the text or /pattern/ is there now"),
    }),
    z.object({ what: z.literal("only"), is: z.enum(["additions", "removals"]) }),
  ],
  "There is no such condition.",
);

/** Which changes send an alert and fire the trigger; without conditions every change does. All changes are stored. */
export const AlertIf = z.object({
  match: z.enum(["all", "any"], "Choose all or any."),
  conditions: z.array(Condition).max(20, "At most 20 conditions."),
});
export type AlertIf = z.output<typeof AlertIf>;
export type Condition = z.output<typeof Condition>;
