import type { JobUpdate } from "#contract/job.ts";
import type { SettingsInput } from "#contract/job-settings.ts";
import type { Plan } from "#plans/plans.ts";

/** The limits of a site as form state; paths have one line each. */
export type SiteFields = {
  isSite: boolean;
  siteSubdomains: boolean;
  sitePaths: string;
  siteExclude: string;
  siteMaxPages: string;
  sitePerSecond: string;
  /** The job that watches the scope list; "" for none. */
  siteScope: string;
  siteRobots: boolean;
};

export const siteFieldNames = [
  "isSite",
  "siteSubdomains",
  "sitePaths",
  "siteExclude",
  "siteMaxPages",
  "sitePerSecond",
  "siteScope",
  "siteRobots",
] as const satisfies (keyof SiteFields)[];

const usualPages = 200;

export function siteFieldsOf(site: SettingsInput["site"]): SiteFields {
  return {
    isSite: Boolean(site),
    siteSubdomains: site?.subdomains ?? false,
    sitePaths: site?.paths.join("\n") ?? "",
    siteExclude: site?.exclude.join("\n") ?? "",
    siteMaxPages: String(site?.maxPages ?? usualPages),
    sitePerSecond: String(site?.perSecond ?? 1),
    siteScope: site?.scope ?? "",
    siteRobots: site?.robots ?? true,
  };
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export function siteOf(fields: SiteFields): JobUpdate["site"] {
  if (!fields.isSite) return null;
  return {
    subdomains: fields.siteSubdomains,
    paths: linesOf(fields.sitePaths),
    exclude: linesOf(fields.siteExclude),
    maxPages: Number(fields.siteMaxPages),
    perSecond: Number(fields.sitePerSecond),
    scope: fields.siteScope || null,
    robots: fields.siteRobots,
  };
}

/** Returns what is wrong with the limits of a site. */
export function checkSite(fields: SiteFields, plan: Plan): Partial<Record<keyof SiteFields, string>> {
  if (!fields.isSite) return {};
  const [pages, perSecond] = [Number(fields.siteMaxPages), Number(fields.sitePerSecond)];
  const isPath = (line: string) => line.startsWith("/");
  const beginWithSlash = "Begin each line with a slash, e.g. /docs/.";
  return {
    ...(!(Number.isInteger(pages) && pages >= 1)
      ? { siteMaxPages: "Enter a whole number of pages." }
      : pages > plan.sitePages && {
          siteMaxPages: `At most ${plan.sitePages.toLocaleString("en")} on the ${plan.name} plan.`,
        }),
    ...(!(perSecond >= 0.05 && perSecond <= 10) && {
      sitePerSecond: "Enter 0.05 to 10 requests per second.",
    }),
    ...(!linesOf(fields.sitePaths).every(isPath) && { sitePaths: beginWithSlash }),
    ...(!linesOf(fields.siteExclude).every(isPath) && { siteExclude: beginWithSlash }),
  };
}

export const siteNote = ({ isSite, siteMaxPages }: SiteFields) =>
  isSite ? `up to ${Number(siteMaxPages).toLocaleString("en")} pages` : "one page";
