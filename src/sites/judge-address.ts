import type { NotRequested } from "#contract/site.ts";
import { isCalendar, parameterNames } from "#detection/site-pages/page-address.ts";
import { isAllowedByRobots } from "#detection/site-pages/read-robots.ts";
import { countCombinations, readFamily, type SitePageRow, updateRun } from "#storage/sites.ts";
import { type Crawl, note } from "./crawl.ts";

/** How many pages of a family in a row may lead only to more of the same. */
const longestChain = 30;
/** Of as many pages of a family as are looked at, so many that say the same are one page. */
const [window, alikeLimit] = [40, 30];
/** A list that is sorted and filtered: many combinations of few values of at least this many parameters. */
const [filterParameters, filterCombinations, filterSample] = [3, 100, 400];

/** Why an address isn't requested; null if it may be. */
export async function judgeAddress(crawl: Crawl, page: SitePageRow): Promise<NotRequested | null> {
  const { run, site } = crawl;
  const { host } = new URL(page.address);
  const robots = Object.hasOwn(run.robots, host) ? run.robots[host] : undefined;
  if (!robots || (site.robots && !isAllowedByRobots(robots, page.address))) return "robots";
  // What was requested once is part of the inventory.
  const isNew = page.status === null && page.family !== null && page.generation > 0;
  return isNew && (await isEndless(crawl, page, page.family ?? "")) ? "endless" : null;
}

async function isEndless(crawl: Crawl, page: SitePageRow, family: string): Promise<boolean> {
  if (family in crawl.run.endless) return true;
  const sentence = await describeEndless(crawl, page, family);
  if (sentence === null) return false;
  crawl.run.endless = { ...crawl.run.endless, [family]: sentence };
  note(crawl, `endless:${family}`, sentence);
  await updateRun(crawl.deps.db, crawl.run.id, { endless: crawl.run.endless, notes: crawl.run.notes });
  return true;
}

async function describeEndless(
  { deps, job }: Crawl,
  { address, generation }: SitePageRow,
  family: string,
): Promise<string | null> {
  const { requested, yielded, alike } = await readFamily(deps.db, job.id, family, window);
  if (alike >= alikeLimit)
    return `${alike} addresses like ${address} show the same page, so further ones weren’t requested.`;
  if (yielded > 0) return null;
  if (generation >= longestChain) return describeChain(address);
  if (requested < window || parameterNames(address).length < filterParameters) return null;
  const { addresses, values } = await countCombinations(deps.db, job.id, family, filterSample);
  return addresses >= filterCombinations && values * 5 <= addresses
    ? `Addresses like ${address} only sort and filter the same list, so further ones weren’t requested.`
    : null;
}

const describeChain = (address: string) =>
  isCalendar(address)
    ? `A calendar has no end: addresses like ${address} only lead to more dates, so further ones weren’t requested.`
    : `Addresses like ${address} only lead to more of the same, without end, so further ones weren’t requested.`;
