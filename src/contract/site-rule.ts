import { z } from "zod";
import { Outcome } from "./account.ts";
import { JobParams } from "./job.ts";

/** How many rules a site has at most. */
export const maxSiteRules = 20;
const samples = ["first", "newest", "spread"] as const;

/** Which pages of a site become jobs, how many of them, and in which group. */
export const SiteRuleInput = z
  .object({
    by: z.enum(["pattern", "template"]).describe("What chooses the pages: a pattern or a template"),
    value: z
      .string()
      .trim()
      .min(1, "Enter a path or choose a template.")
      .max(2000, "At most 2,000 characters.")
      .startsWith("/", "Begin with a slash, e.g. /docs/.")
      .describe("How the path begins, where * stands for any characters; or a template as the map lists it"),
    groupId: z.uuid("Choose a group."),
    maxJobs: z.int("Enter a whole number of jobs.").min(1, "At least one job.").max(400, "At most 400 jobs."),
    sample: z
      .enum(samples, "Choose first, newest or spread.")
      .default("first")
      .describe("Which pages, if more match: the first by address, the newest, or an even sample"),
    frequency: z
      .int("Frequency must be whole minutes.")
      .min(1, "Frequency must be at least one minute.")
      .max(43_200, "Frequency must be at most 43200 minutes."),
  })
  .describe("A rule that creates jobs for the pages of a site");
export type SiteRuleInput = z.output<typeof SiteRuleInput>;

const PlannedJob = z.object({
  url: z.string(),
  name: z.string(),
  plan: z
    .enum(["make", "keep", "retire", "revive"])
    .describe("“retire”: paused, because its page is gone or no longer matches the rule"),
});

export const SiteRuleTrial = z.object({
  matching: z.int().describe("How many pages of the site match the rule"),
  jobs: z.array(PlannedJob),
  cost: z.object({
    jobs: z.int().describe("Jobs of the account after that"),
    allowedJobs: z.int().nullable().describe("As many as the plan allows; null if only groups are limited"),
    groupJobs: z.int().describe("Jobs of the group after that"),
    allowedGroupJobs: z.int(),
    checksPerDay: z.int().describe("Checks per day of the rule’s jobs"),
  }),
  problem: z.string().nullable().describe("Why fewer jobs would be created than the rule asks for"),
});
export type SiteRuleTrial = z.infer<typeof SiteRuleTrial>;

const SiteRule = SiteRuleInput.extend({
  id: z.uuid(),
  jobs: z.int().describe("Jobs that the rule has created and that are not retired"),
  retired: z.int(),
  problem: z.string().nullable(),
});
export const SiteRules = z.object({ rules: z.array(SiteRule) });
export type SiteRules = z.infer<typeof SiteRules>;
export const SiteRuleReply = Outcome.extend({ id: z.uuid() });
export const SiteRuleTrialQuery = z.object({
  ruleId: z.uuid().optional().describe("The rule that would be changed; without it, a new one is tried"),
});
export const SiteRuleParams = JobParams.extend({ ruleId: z.uuid() });
