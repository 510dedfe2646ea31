import { inBatches } from "#storage/in-batches.ts";
import { type JobToCheck, startJobs } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { openResultBatches } from "./record-result.ts";

export type ExecutionBatches = ReturnType<typeof openExecutionBatches>;

/** What checks read and write. Checks that start or end at the same time share a batch. */
export function openExecutionBatches(deps: Pick<Deps, "db" | "queue" | "blobs">) {
  return {
    start: inBatches<string, JobToCheck | undefined>(async (ids) => {
      const jobs = new Map((await startJobs(deps.db, ids)).map((job) => [job.id, job]));
      return ids.map((id) => jobs.get(id));
    }),
    record: openResultBatches(deps),
  };
}
