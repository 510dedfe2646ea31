import { setImmediate as nextTurn } from "node:timers/promises";
import type { SiteSource } from "#contract/site.ts";
import { familyOf, identityOf, isCircular, templateOf } from "#detection/site-pages/page-address.ts";
import type { Database } from "#storage/database.ts";
import { insertPages, listKnown, type NewSitePage, type SitePageRow } from "#storage/sites.ts";
import { type Crawl, maxKnown, note } from "./crawl.ts";

type Origin = {
  source: SiteSource;
  foundOn: string | null;
  depth: number;
  /** The page that led there; null for what sitemaps, feeds and captures list. */
  from: Pick<SitePageRow, "family" | "generation" | "hops"> | null;
};

/** A sitemap lists up to 50,000 addresses: whatever else the process does has its turn between them. */
const atOnce = 500;

/** Stores those of these addresses that belong to the site and aren't known yet; returns them. */
export async function addAddresses(
  crawl: Crawl,
  tx: Database,
  addresses: readonly string[],
  origin: Origin,
): Promise<Pick<SitePageRow, "identity" | "family">[]> {
  const pages = new Map<string, NewSitePage>();
  for (const [at, address] of addresses.entries()) {
    if (at % atOnce === atOnce - 1) await nextTurn();
    if (!crawl.boundary.includes(address)) continue;
    if (origin.from && isCircular(address)) {
      note(crawl, "circular", `Addresses that go round in circles weren’t requested, such as ${address}`);
      continue;
    }
    const page = toPage(crawl, address, origin);
    const isEndless = (page.generation ?? 0) > 0 && (page.family ?? "") in crawl.run.endless;
    if (!isEndless && !pages.has(page.identity)) pages.set(page.identity, page);
  }
  const added = await insertPages(tx, await withinRoom(crawl, tx, pages));
  crawl.known += added.length;
  return added;
}

/** What is known already, and of the others as many as there is room for. */
async function withinRoom(
  crawl: Crawl,
  tx: Database,
  pages: Map<string, NewSitePage>,
): Promise<NewSitePage[]> {
  const room = crawl.isFull ? 0 : Math.max(maxKnown(crawl) - crawl.known, 0);
  if (pages.size <= room) return [...pages.values()];
  const known = new Set(await listKnown(tx, crawl.job.id, [...pages.keys()]));
  const [old, others] = [true, false].map((isKnown) =>
    [...pages.values()].filter(({ identity }) => known.has(identity) === isKnown),
  ) as [NewSitePage[], NewSitePage[]];
  if (others.length > room && crawl.isFull)
    note(crawl, "storage", "Your storage is full, so further addresses weren’t listed.");
  else if (others.length > room)
    note(
      crawl,
      "many",
      `The site has more than ${maxKnown(crawl).toLocaleString("en")} addresses: further ones aren’t listed.`,
    );
  return [...old, ...others.slice(0, room)];
}

function toPage({ job }: Crawl, address: string, { source, foundOn, depth, from }: Origin): NewSitePage {
  const family = familyOf(address);
  const generation = from && family !== null && family === from.family ? from.generation + 1 : 0;
  return {
    job_id: job.id,
    account_id: job.account_id,
    identity: identityOf(address),
    address,
    source,
    found_on: foundOn,
    depth,
    generation,
    family,
    template: templateOf(address),
    // What its own family led to comes later, so that endless ones hold nothing up.
    rank: depth * 10 + generation,
    hops: source === "redirect" && from ? from.hops + 1 : 0,
    why: source === "script" ? "script" : null,
  };
}
