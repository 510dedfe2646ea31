import { z } from "zod";
import { secretFormats } from "#detection/security-findings/secrets.ts";
import { severities } from "#detection/severity/severity.ts";
import { blockKindNames, maxSearchLength, SearchResults, searchModes } from "./page-block.ts";

/** How many search alerts an account can have. */
export const maxSearchAlerts = 20;

const Searched = z.object({
  q: z
    .string("Enter what to search for.")
    .trim()
    .min(1, "Enter what to search for.")
    .max(maxSearchLength, `Search for at most ${maxSearchLength} characters.`),
  mode: z.enum(searchModes).default("literal").describe("As for a search"),
  kind: z.enum(blockKindNames).nullable().default(null).describe("Only this kind of content; null for all"),
  groupIds: z
    .array(z.uuid())
    .min(1, "Choose at least one group.")
    .max(100, "Choose at most 100 groups.")
    .nullable()
    .default(null)
    .describe("Only jobs of these groups; null for all jobs"),
});
export type SearchAlertTrial = z.infer<typeof SearchAlertTrial>;
export const SearchAlertTrial = Searched;

export const NewSearchAlert = Searched.extend({
  name: z
    .string("Enter a name.")
    .trim()
    .min(1, "Enter a name.")
    .max(60, "The name is longer than 60 characters.")
    // The database stores every half of a surrogate pair as the same character, so two such names would collide.
    .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), "The name must not contain control characters."),
  severity: z.enum(severities).default("important").describe("The severity of its alerts"),
  hidesMatch: z
    .boolean()
    .default(false)
    .describe("Whether alerts show only the first and last characters of what was found, as for a secret"),
});
export type NewSearchAlert = z.infer<typeof NewSearchAlert>;

export const SearchAlert = NewSearchAlert.extend({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  alerts: z.int().describe("How many alerts it has caused"),
  lastAlertAt: z.iso.datetime().nullable(),
});
export type SearchAlert = z.infer<typeof SearchAlert>;
export const SearchAlerts = z.object({ alerts: z.array(SearchAlert).describe("By name") });
export const SearchAlertParams = z.object({ alertId: z.uuid() });

export const trialDays = 30;
export const SearchAlertTrialResult = z.object({
  found: z.int().describe(`How many lines it would have found in the last ${trialDays} days`),
  isMore: z.boolean().describe("Whether it would have found more than are counted"),
  lines: SearchResults.shape.lines.describe("The newest of them, at most 5"),
});
export type SearchAlertTrialResult = z.infer<typeof SearchAlertTrialResult>;

const starterNames = new Set([
  "AWS access key",
  "GitHub token",
  "GitLab token",
  "Slack token",
  "Slack webhook",
  "Discord webhook",
  "Telegram bot token",
  "Stripe secret key",
  "SendGrid key",
  "npm token",
  "private key",
  "password in a URL",
]);

/**
 * Patterns of leaked secrets to start from: formats that their issuers publish, and that nothing else has. Keys of Google
 * are left out, because each page with a map shows one.
 */
export const starterPatterns: { name: string; q: string }[] = secretFormats
  .filter(({ name }) => starterNames.has(name))
  .map(({ name, pattern }) => ({
    name: name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
    q: pattern.source,
  }));
