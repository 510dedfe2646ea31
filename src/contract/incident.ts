import { z } from "zod";
import { severities } from "#detection/severity/severity.ts";
import { blockKindNames } from "./page-block.ts";

export const IncidentQuery = z.object({
  days: z.coerce.number().int().min(1).max(30).default(7).describe("How many days back"),
});
export type IncidentQuery = z.infer<typeof IncidentQuery>;

const IncidentItem = z.object({
  sign: z.enum(["+", "-"]).describe("+ for what was added, - for what was removed"),
  kind: z.enum(blockKindNames),
  text: z.string(),
});
export type IncidentItem = z.infer<typeof IncidentItem>;

const IncidentChange = z.object({
  executionId: z.uuid(),
  jobId: z.uuid(),
  job: z.string(),
  url: z.string(),
  groupId: z.uuid(),
  at: z.iso.datetime(),
  severity: z.enum(severities),
  summary: z.string(),
  own: z.int().describe("How many things changed on this page only"),
});

/** Changes of several pages that have one cause, such as a deployment. */
export const Incident = z.object({
  id: z.uuid().describe("The id of its first execution"),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  severity: z.enum(severities).describe("That of its most severe change"),
  pages: z.int(),
  summary: z.string(),
  opinion: z
    .object({ model: z.string(), sentence: z.string() })
    .nullable()
    .describe("What a language model says about its changes, if second opinions are on; unchecked"),
  common: z.array(IncidentItem).describe("What the changes have in common, the rarest first, at most 10"),
  moreCommon: z.int(),
  changes: z.array(IncidentChange).describe("Its changes, oldest first, at most 50"),
  moreChanges: z.int(),
  noise: z
    .object({
      wanted: z.int().describe("How many of the changes the user marked as noise"),
      pending: z.int().describe("How many of them are still being marked, or unmarked"),
      failed: z.int().describe("How many couldn't be marked, because they are no longer stored or found"),
    })
    .describe("“This is noise” for the whole incident"),
});
export type Incident = z.infer<typeof Incident>;

export const Incidents = z.object({
  incidents: z.array(Incident).describe("Newest first"),
  otherChanges: z.int().describe("How many changes of the period belong to no incident"),
  isCapped: z
    .boolean()
    .describe("Whether there were more changes than are compared, so that the oldest are left out"),
});
export type Incidents = z.infer<typeof Incidents>;

export const IncidentParams = z.object({ incidentId: z.uuid() });

const maxMoved = 500;
export const IncidentSplit = z.object({
  executionIds: z
    .array(z.uuid())
    .min(1, "Choose at least one change.")
    .max(maxMoved, `At most ${maxMoved} changes at once.`),
});
export const IncidentMerge = z.object({
  incidentIds: z
    .array(z.uuid())
    .min(1, "Choose at least one other incident.")
    .max(maxMoved, `At most ${maxMoved} incidents at once.`),
});
