import { inBatches } from "#storage/in-batches.ts";
import { type JobToCheck, startJobs } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { openRecord } from "./record.ts";

export type Desk = ReturnType<typeof openDesk>;

/** What checks read and write; those that do so at the same time do it together. */
export function openDesk(deps: Pick<Deps, "db" | "queue" | "blobs">) {
  return {
    start: inBatches<string, JobToCheck | undefined>(async (ids) => {
      const jobs = new Map((await startJobs(deps.db, ids)).map((job) => [job.id, job]));
      return ids.map((id) => jobs.get(id));
    }),
    record: openRecord(deps),
  };
}
