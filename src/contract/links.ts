/** Paths in the web application that mails, messages and triggers link to. */
export function viewerPath(jobId: string, executionId: string | null): string {
  return `/dashboard?view=jobs&job=${jobId}${executionId ? `&execution=${executionId}` : ""}`;
}

export const incidentPath = (incidentId: string) => `/dashboard?view=incidents&incident=${incidentId}`;

export const feedPath = "/dashboard";
/** The parts of the profile: channels with their schedules, identities, and keys, feeds and data. */
export const channelsPath = "/dashboard?view=profile&part=channels";
export const identitiesPath = "/dashboard?view=profile&part=identities";
export const keysPath = "/dashboard?view=profile&part=data";
