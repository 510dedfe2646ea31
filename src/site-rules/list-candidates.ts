import type { Database } from "#storage/database.ts";
import { readPages } from "#storage/sites.ts";
import type { CandidatePage } from "./choose-jobs.ts";

/** The pages of a site that answered when they were last requested. */
export async function listCandidates(db: Database, jobId: string): Promise<CandidatePage[]> {
  const pages: CandidatePage[] = [];
  for await (const rows of readPages(db, jobId))
    for (const { identity, address, title, template, first_seen, status, why } of rows)
      if (why === null && status !== null && status < 300)
        pages.push({ identity, address, title, template, firstSeen: first_seen });
  return pages;
}
