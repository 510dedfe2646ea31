type Place = { jobId: string; groupId?: string; executionId?: string | null };

/** Where a job is looked at, or one of its executions is compared. */
export function jobAddress({ jobId, groupId, executionId }: Place): string {
  const search = new URLSearchParams({ view: "jobs" });
  if (groupId) search.set("group", groupId);
  search.set("job", jobId);
  if (executionId) search.set("execution", executionId);
  return `/dashboard?${search}`;
}
