import { z } from "zod";
import { severities } from "#detection/verdict.ts";
import { CompareQuery, JobUpdate } from "./job.ts";

/** What decides of two captures what is told; what is left out is as the job has it. */
const Settings = JobUpdate.pick({
  selector: true,
  ignore: true,
  awaited: true,
  lookup: true,
  alertIf: true,
  values: true,
});

const moment = z.iso
  .datetime()
  .refine((text) => /^(19|20|21)/.test(text), "A time must lie between 1900 and 2199.");

export const TrialInput = Settings.extend({
  from: moment.optional().describe("With from or to: the checks of that time, 2,000 at most"),
  to: moment.optional(),
}).describe("Without a time: the newest 200 checks");
export type TrialInput = z.infer<typeof TrialInput>;
export const trialSizes = { newest: 200, period: 2000 } as const;

export const TrialComparison = Settings.extend(CompareQuery.shape);

const Said = z.object({
  state: z.enum(["alert", "digest", "quiet", "failed"]),
  severity: z.enum(severities).nullable(),
  summary: z.string(),
});
export type Said = z.infer<typeof Said>;

const TrialRow = z.object({
  id: z.uuid(),
  index: z.int(),
  createdAt: z.iso.datetime(),
  fromId: z.uuid().nullable().describe("What it is compared with by the tried rules"),
  was: Said,
  now: Said,
  about: z.array(z.string()).describe("What was told of it then, reason by reason"),
});
export type TrialRow = z.infer<typeof TrialRow>;

const Counts = z.object({ alerts: z.int(), digests: z.int(), failed: z.int() });

/** A line of the answer: how many there are, how far it is, the end. */
export const TrialLine = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begun"), total: z.int(), left: z.int().describe("Older ones of that time") }),
  z.object({
    kind: z.literal("progress"),
    done: z.int(),
    rows: z.array(TrialRow).describe("Those of which something was or would be said"),
  }),
  z.object({ kind: z.literal("done"), was: Counts, now: Counts }),
  z.object({ kind: z.literal("problem"), message: z.string() }),
]);
export type TrialLine = z.infer<typeof TrialLine>;
