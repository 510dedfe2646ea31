import { z } from "zod";
import { severities } from "#detection/severity/severity.ts";
import { CompareQuery, JobUpdate } from "./job.ts";
import { comparedNames, maskOf } from "./job-settings.ts";
import { Moment } from "./moment.ts";

/** The settings that decide what is alerted when two captures differ. Omitted ones default to the job's. */
const Settings = JobUpdate.pick(maskOf(comparedNames));
export type TestedSettings = z.infer<typeof Settings>;

export const RuleTestInput = Settings.extend({
  from: Moment.optional().describe("With `from` or `to`, the newest 2,000 checks of that period are tested"),
  to: Moment.optional(),
}).describe("Without `from` and `to`, the newest 200 checks are tested");
export type RuleTestInput = z.infer<typeof RuleTestInput>;
export const ruleTestSizes = { newest: 200, period: 2000 } as const;

export const RuleTestComparison = Settings.extend(CompareQuery.shape);

const CheckOutcome = z.object({
  state: z.enum(["alert", "digest", "quiet", "failed"]),
  severity: z.enum(severities).nullable(),
  summary: z.string(),
});
export type CheckOutcome = z.infer<typeof CheckOutcome>;

const RuleTestRow = z.object({
  id: z.uuid(),
  index: z.int(),
  createdAt: z.iso.datetime(),
  fromId: z.uuid().nullable().describe("Execution that it is compared with under the tested rules"),
  was: CheckOutcome,
  now: CheckOutcome,
  about: z.array(z.string()).describe("What was alerted at the time, one entry for each reason"),
});
export type RuleTestRow = z.infer<typeof RuleTestRow>;

const Counts = z.object({ alerts: z.int(), digests: z.int(), failed: z.int() });

/** One line of the streamed reply: the total, the progress, the end, or a problem. */
export const RuleTestLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("begun"),
    total: z.int(),
    left: z.int().describe("Number of older checks of the period that aren't tested"),
  }),
  z.object({
    kind: z.literal("progress"),
    done: z.int(),
    rows: z.array(RuleTestRow).describe("Checks whose recorded or new state isn't quiet"),
  }),
  z.object({ kind: z.literal("done"), was: Counts, now: Counts }),
  z.object({ kind: z.literal("problem"), message: z.string() }),
]);
export type RuleTestLine = z.infer<typeof RuleTestLine>;
