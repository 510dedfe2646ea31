/** Returns the URL of an execution's thumbnail. */
export function thumbnail(jobId: string, executionId: string): string {
  return `/api/jobs/${jobId}/executions/${executionId}/thumbnail`;
}

/** Returns the URL of an execution's full-size screenshot. */
export function picture(jobId: string, executionId: string): string {
  return `/api/jobs/${jobId}/executions/${executionId}/image`;
}
