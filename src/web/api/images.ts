/** The address of an execution's small picture. */
export function thumbnail(jobId: string, executionId: string): string {
  return `/api/jobs/${jobId}/executions/${executionId}/image`;
}
