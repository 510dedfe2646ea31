import { z } from "zod";
import { Outcome } from "./account.ts";
import { JobParams } from "./job.ts";

/** How an address became known, the most trusted first. */
export const siteSources = [
  "start",
  "scope",
  "sitemap",
  "feed",
  "capture",
  "link",
  "redirect",
  "script",
] as const;
export type SiteSource = (typeof siteSources)[number];

/** Why an address is listed without being requested. */
const notRequested = ["robots", "script", "endless", "redirects", "same"] as const;
export type NotRequested = (typeof notRequested)[number];

const runStates = ["running", "paused", "crawled", "recorded"] as const;
export type SiteRunState = (typeof runStates)[number];

const SiteRun = z.object({
  number: z.int(),
  state: z
    .enum(runStates)
    .describe("“crawled”: all requests are made, and the inventory is being compared with the last one"),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  requested: z.int().describe("How many pages this run has requested"),
  perSecond: z.number().describe("Pages per second while requests were made"),
  bytes: z.int(),
  listsToRead: z.int().describe("Sitemaps and feeds that are still to be read"),
  failure: z.string().nullable(),
  notes: z.array(z.string()).describe("What was left out, and why"),
});

export const SiteState = z.object({
  run: SiteRun.nullable().describe("The newest run; null before the first"),
  pages: z.int().describe("Addresses that answered with a page"),
  known: z.int().describe("All known addresses"),
  waiting: z.int().describe("Addresses that this run still has to request"),
});
export type SiteState = z.infer<typeof SiteState>;

export const siteStatuses = ["ok", "moved", "broken", "listed", "waiting"] as const;
const maxWords = 10;
const words = z
  .string()
  .trim()
  .max(200, "At most 200 characters.")
  .refine((text) => text.split(/\s+/).length <= maxWords, `At most ${maxWords} words.`);
export const SitePagesQuery = z.object({
  search: words.optional().describe("Words of the address or the title"),
  status: z.enum(siteStatuses).optional().describe("“listed”: never requested, for a reason"),
  source: z.enum(siteSources).optional(),
  below: z
    .string()
    .max(2100)
    .optional()
    .describe("Only addresses below this folder, such as shop.example/docs/"),
  sort: z.enum(["address", "newest", "size", "depth"]).default("address"),
  offset: z.coerce.number().int().min(0).max(200_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type SitePagesQuery = z.output<typeof SitePagesQuery>;

const SitePage = z.object({
  address: z.string(),
  source: z.enum(siteSources),
  foundOn: z.string().nullable(),
  depth: z.int(),
  status: z.int().nullable(),
  notRequested: z.enum(notRequested).nullable().describe("Why it isn’t requested"),
  problem: z.string().nullable().describe("Why the last request got no answer"),
  title: z.string(),
  contentType: z.string(),
  bytes: z.int().nullable(),
  movedTo: z.string().nullable(),
  scriptHosts: z.array(z.string()),
  template: z.string().describe("The path with marks in place of numbers and identifiers"),
  firstSeen: z.iso.datetime(),
  lastSeen: z.iso.datetime().nullable(),
});
export type SitePageShown = z.infer<typeof SitePage>;
export const SitePages = z.object({ pages: z.array(SitePage), total: z.int() });
export type SitePages = z.infer<typeof SitePages>;

export const SiteFoldersQuery = z.object({
  below: z
    .string()
    .max(2100)
    .default("")
    .describe("A folder of the tree, such as shop.example/docs/; empty for the hosts"),
});
export const SiteFolders = z.object({
  folders: z.array(z.object({ path: z.string(), name: z.string(), pages: z.int() })),
  isCut: z.boolean().describe("Whether there are more folders than listed"),
});
export type SiteFolders = z.infer<typeof SiteFolders>;

export const SiteTemplates = z.object({
  templates: z.array(
    z.object({
      template: z.string().describe("The path with marks in place of what differs"),
      pages: z.int(),
      skeletons: z.int().describe("How many different layouts these pages have"),
      example: z.string(),
      title: z.string().describe("A title of one of them"),
    }),
  ),
});
export type SiteTemplates = z.infer<typeof SiteTemplates>;

export const SiteDifferenceQuery = z.object({
  from: z.uuid(),
  to: z.uuid(),
  offset: z.coerce.number().int().min(0).max(500_000).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type SiteDifferenceQuery = z.output<typeof SiteDifferenceQuery>;
export const SiteDifference = z.object({
  differences: z.array(
    z.object({
      address: z.string().describe("The address, or the script host that it is about"),
      before: z.string().nullable(),
      after: z.string().nullable(),
      sentence: z.string(),
    }),
  ),
  total: z.int().describe("How many differences there are in all"),
});
export type SiteDifference = z.infer<typeof SiteDifference>;

export const SiteExportQuery = z.object({ format: z.enum(["csv", "json", "xml"]) });
export const SiteActionParams = JobParams.extend({ action: z.enum(["pause", "resume"]) });
export const SiteActionReply = Outcome;
