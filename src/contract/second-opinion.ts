import { z } from "zod";
import { Outcome } from "./account.ts";
import { url, visibleText } from "./setting-shapes.ts";

/** What a job may use the second opinion for, from nothing to most. */
const opinionUses = ["off", "summary", "lower"] as const;
export type OpinionUse = (typeof opinionUses)[number];

/** How a model may class a change; the last two are unimportant. */
export const opinionClasses = ["important", "uncertain", "routine", "noise"] as const;
export type OpinionClass = (typeof opinionClasses)[number];

/** What a job or group says about the second opinion. What is left out is inherited. */
export const SecondOpinion = z
  .object({
    use: z
      .enum(opinionUses, "Choose off, summary or lower.")
      .describe(
        "summary: alerts carry the model's sentence; lower: also, what it finds unimportant goes to the daily digest",
      ),
    matters: z
      .string()
      .trim()
      .max(500, "At most 500 characters.")
      .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), "It must not contain control characters.")
      .describe("What matters to you about this page, in your own words; the model reads it"),
  })
  .partial()
  .describe("The second opinion of a language model about changes");
export type SecondOpinion = z.infer<typeof SecondOpinion>;

/** Without empty parts; null if nothing is left. */
export function canonicalSecondOpinion({ use, matters }: SecondOpinion): SecondOpinion | null {
  const given: SecondOpinion = { ...(use && { use }), ...(matters && { matters }) };
  return Object.keys(given).length > 0 ? given : null;
}

const wholeNumber = (label: string, minimum: number, maximum: number) =>
  z
    .int(`${label} must be a whole number.`)
    .min(minimum, `${label} must be at least ${minimum}.`)
    .max(maximum, `${label} must be at most ${maximum}.`);
const price = z
  .number("Enter a price, or leave it empty.")
  .min(0, "A price can’t be negative.")
  .max(100_000, "A price is at most 100,000.")
  .nullable()
  .default(null);

const opinionDefaults = {
  maxCalls: 1_000,
  maxCallsPerJob: 100,
  maxTokens: 1_000_000,
  waitSeconds: 10,
} as const;

export const NewOpinionEndpoint = z.strictObject({
  url: url.describe("The address of an endpoint that speaks OpenAI's chat completions, up to /v1"),
  model: visibleText("Model", 200),
  key: z
    .string()
    .trim()
    .max(1_000, "The key is longer than 1,000 characters.")
    .regex(/^[!-~]*$/, "The key has only letters, digits and signs, without spaces.")
    .nullish()
    .describe("The API key. Left out, the stored one stays, unless the address changes; empty for none"),
  isOn: z.boolean().default(false).describe("Whether jobs may use it; a trial is possible without"),
  maxCalls: wholeNumber("The calls per month", 1, 1_000_000).default(opinionDefaults.maxCalls),
  maxCallsPerJob: wholeNumber("The calls per job and month", 1, 1_000_000).default(
    opinionDefaults.maxCallsPerJob,
  ),
  maxTokens: wholeNumber("The tokens per month", 1_000, 2_000_000_000).default(opinionDefaults.maxTokens),
  inputPrice: price.describe("What a million tokens of input cost, to show costs; null if unknown"),
  outputPrice: price.describe("What a million tokens of output cost"),
  waitSeconds: wholeNumber("The wait", 2, 25)
    .default(opinionDefaults.waitSeconds)
    .describe("How long an alert waits for the opinion, at most"),
});
export type NewOpinionEndpoint = z.infer<typeof NewOpinionEndpoint>;

const OpinionEndpoint = NewOpinionEndpoint.omit({ key: true }).extend({
  hasKey: z.boolean(),
  problem: z.string().nullable().describe("Why the last request failed, as a sentence; null if it didn’t"),
  failedAt: z.iso.datetime().nullable(),
  succeededAt: z.iso.datetime().nullable(),
});
export type OpinionEndpoint = z.infer<typeof OpinionEndpoint>;

const Spent = z.object({
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.number().nullable().describe("In the currency of the entered prices; null without prices"),
});

export const OpinionState = z.object({
  endpoint: OpinionEndpoint.nullable().describe("Null until one is set up"),
  month: z.string().describe("The month of `spent`, in UTC, such as 2026-11"),
  spent: Spent,
  jobs: z
    .array(z.object({ jobId: z.uuid(), name: z.string(), calls: z.int(), tokens: z.int() }))
    .describe("The jobs that used it most this month"),
});
export type OpinionState = z.infer<typeof OpinionState>;
export const OpinionStateReply = Outcome.extend({ state: OpinionState });

const OpinionBlock = z.object({
  id: z.string(),
  sign: z.enum(["added", "removed", "moved"]),
  text: z.string(),
});
export type OpinionBlock = z.infer<typeof OpinionBlock>;

/** A model's opinion about one change, or why there is none. */
export const Opinion = z.object({
  model: z.string(),
  class: z.enum(opinionClasses).nullable().describe("Null if there is no usable answer"),
  sentence: z.string().nullable().describe("The model's words; never to be shown as fact"),
  blocks: z.array(OpinionBlock).describe("The changed texts that the opinion rests on"),
  lowered: z.boolean().describe("Whether the change went to the daily digest for it"),
  why: z
    .string()
    .nullable()
    .describe("Why there is no opinion, or why it didn't lower the alert, as a sentence"),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.number().nullable(),
  isCached: z.boolean().describe("Whether the answer to the same change was used again"),
});
export type Opinion = z.infer<typeof Opinion>;

export const OpinionTest = Outcome.extend({ opinion: Opinion, state: OpinionState });

/** How many changes one call of a trial judges at most. */
const maxTrialChanges = 10;
export const OpinionTrial = z.strictObject({
  count: z
    .int()
    .min(1, "At least one change.")
    .max(maxTrialChanges, `At most ${maxTrialChanges} changes at once.`)
    .default(5),
  matters: z
    .string()
    .trim()
    .max(500, "At most 500 characters.")
    .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), "It must not contain control characters.")
    .nullish()
    .describe("Unsaved words about what matters; left out, the job’s"),
  before: z.uuid().nullish().describe("Go on with changes older than this execution"),
});
export type OpinionTrial = z.infer<typeof OpinionTrial>;

export const OpinionTrialReply = z.object({
  changes: z
    .array(
      z.object({
        executionId: z.uuid(),
        index: z.int(),
        createdAt: z.iso.datetime(),
        summary: z.string(),
        severity: z.string().nullable(),
        wouldLower: z.boolean(),
        opinion: Opinion,
      }),
    )
    .describe("The job's alerted changes, newest first"),
  next: z.uuid().nullable().describe("Pass it as `before` to go on; null at the end of the history"),
  spent: Spent.describe("What this trial cost"),
});
export type OpinionTrialReply = z.infer<typeof OpinionTrialReply>;

/** Says in one sentence of a language model what changed, by the same rules as for one change; null if it can't. */
export type Summarize = (
  accountId: string,
  changes: { jobId: string; executionId: string }[],
) => Promise<{ model: string; sentence: string } | null>;
