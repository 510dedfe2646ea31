import type { JobRow } from "#storage/jobs.ts";
import type { SecretBox } from "#storage/secret-box.ts";

export type NamedHeader = { name: string; value: string };

/** The headers a job's page is asked with. */
export function openHeaders(secrets: SecretBox, job: Pick<JobRow, "id" | "headers_sealed">): NamedHeader[] {
  return job.headers_sealed ? JSON.parse(secrets.open(job.headers_sealed, `job-headers:${job.id}`)) : [];
}
