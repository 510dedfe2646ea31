import type { Actor } from "#contract/actor.ts";
import type { SitePageShown } from "#contract/site.ts";
import type { Database } from "#storage/database.ts";
import { readPages } from "#storage/sites.ts";
import { findSiteJob, shownColumns, showPage } from "./read-site.ts";

/** The whole inventory of a job's site, address by address. */
export async function exportSite(
  deps: { db: Database },
  actor: Actor,
  jobId: string,
): Promise<AsyncIterable<SitePageShown>> {
  const job = await findSiteJob(deps, actor, jobId);
  return (async function* () {
    for await (const rows of readPages(deps.db, job.id, shownColumns)) yield* rows.map(showPage);
  })();
}
