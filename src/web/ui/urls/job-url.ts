type Target = { jobId: string; groupId?: string; executionId?: string | null };

/** Returns the URL of a job, or of one of its executions. */
export function jobUrl({ jobId, groupId, executionId }: Target): string {
  const search = new URLSearchParams({ view: "jobs" });
  if (groupId) search.set("group", groupId);
  search.set("job", jobId);
  if (executionId) search.set("execution", executionId);
  return `/dashboard?${search}`;
}
