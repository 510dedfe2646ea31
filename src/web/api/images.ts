/** The address of an execution's small picture. */
export function thumbnail(jobId: string, executionId: string): string {
  return `/api/jobs/${jobId}/executions/${executionId}/thumbnail`;
}

/** The address of an execution's picture in full. */
export function picture(jobId: string, executionId: string): string {
  return `/api/jobs/${jobId}/executions/${executionId}/image`;
}
