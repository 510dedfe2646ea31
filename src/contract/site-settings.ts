import { z } from "zod";

const pattern = z
  .string()
  .trim()
  .max(200, "At most 200 characters.")
  .startsWith("/", "Begin with a slash, e.g. /docs/.");

/** What makes a job watch a whole site: the limits of what is requested, beginning at the job's URL. */
export const SiteSettings = z
  .object({
    subdomains: z.boolean().default(false).describe("Whether subdomains of the host belong to the site"),
    paths: z
      .array(pattern)
      .max(50, "At most 50 paths.")
      .default([])
      .describe("Only addresses whose path begins like one of these; * stands for any characters"),
    exclude: z
      .array(pattern)
      .max(50, "At most 50 paths.")
      .default([])
      .describe("Addresses that are never requested, by how their path begins; * stands for any characters"),
    maxPages: z
      .int("Enter a whole number of pages.")
      .min(1, "At least one page.")
      .max(100_000, "At most 100,000 pages.")
      .default(200)
      .describe("How many pages one run requests at most; the plan limits it too"),
    perSecond: z
      .number("Enter how many requests per second.")
      .min(0.05, "At least one request in 20 seconds.")
      .max(10, "At most 10 requests per second.")
      .default(1)
      .describe("How many requests per second one host gets at most"),
    scope: z
      .uuid("Choose a job.")
      .nullable()
      .default(null)
      .describe("A job that watches a scope list: the hosts that it lists belong to the site too"),
    robots: z.boolean().default(true).describe("Whether robots.txt is obeyed"),
  })
  .describe("Watch the whole site that the URL is on: the job’s capture is the inventory of its pages");
export type SiteSettings = z.output<typeof SiteSettings>;

export const ShownSite = z.object({
  subdomains: z.boolean(),
  paths: z.array(z.string()),
  exclude: z.array(z.string()),
  maxPages: z.int(),
  perSecond: z.number(),
  scope: z.uuid().nullable(),
  robots: z.boolean(),
});
