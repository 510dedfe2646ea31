import type { Database } from "#storage/database.ts";
import { readPages } from "#storage/sites.ts";
import type { CandidatePage } from "./choose-jobs.ts";

const columns = ["address", "title", "template", "first_seen", "status", "why"] as const;

/** The pages of a site that answered when they were last requested, in order, without taking much memory. */
export async function* readCandidates(db: Database, jobId: string): AsyncGenerator<CandidatePage> {
  for await (const rows of readPages(db, jobId, columns))
    for (const { identity, address, title, template, first_seen, status, why } of rows)
      if (why === null && status !== null && status < 300)
        yield { identity, address, title, template, firstSeen: first_seen };
}
