import { listTargets, type ScopeTarget } from "#detection/bug-bounty-scope/list-targets.ts";
import { findBaselineOf, listNewestBaselines } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { readSnapshot } from "./store-capture.ts";

const maxCaptures = 50;

/** The hosts that the newest capture of a job names as in scope; null if there is no such job or capture. */
export async function listScope(
  deps: Pick<Deps, "db" | "blobs">,
  accountId: string,
  jobId: string,
): Promise<ScopeTarget[] | null> {
  const kept = await findBaselineOf(deps.db, accountId, jobId);
  return kept ? listTargets((await readSnapshot(deps, accountId, kept)).text) : null;
}

/** The links on the newest captures of an account's jobs, of those pages that are wanted. */
export async function listCapturedLinks(
  deps: Pick<Deps, "db" | "blobs">,
  accountId: string,
  isWanted: (url: string) => boolean,
): Promise<string[]> {
  const links = new Set<string>();
  const captures = (await listNewestBaselines(deps.db, accountId)).filter(({ url }) => isWanted(url));
  for (const { url, kept } of captures.slice(0, maxCaptures)) {
    links.add(url);
    // A capture that the store lost is no reason not to crawl.
    const snapshot = await readSnapshot(deps, accountId, kept).catch(() => null);
    for (const { href } of snapshot?.links ?? []) links.add(href);
  }
  return [...links];
}
