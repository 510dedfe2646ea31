/** Addresses inside the web application that mails, messages and triggers lead to. */
export function viewerPath(jobId: string, executionId: string | null): string {
  return `/dashboard?view=jobs&job=${jobId}${executionId ? `&execution=${executionId}` : ""}`;
}

export const feedPath = "/dashboard";
export const profilePath = "/dashboard?view=profile";
