import { isDeepStrictEqual } from "node:util";
import type { JobUpdate } from "#contract/job.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";
import { showSettings } from "#jobs/show-settings.ts";
import type { JobWithGroup } from "#storage/jobs.ts";

/**
 * The fields of an update whose values differ from the job's. Screens send all fields of a section, with secrets masked
 * as the API shows them, so what was sent is not what was changed.
 */
export function findChangedFields(
  secrets: JobDeps["secrets"],
  job: JobWithGroup,
  update: Record<string, unknown>,
): string[] {
  const current: Record<string, unknown> = {
    ...showSettings(secrets, job),
    name: job.name,
    url: job.url,
    frequency: job.frequency_minutes,
    groupId: job.group_id,
  };
  return Object.keys(update).filter((field) => {
    if (isLeftAsItIs(field as keyof JobUpdate, update[field])) return false;
    return !isDeepStrictEqual(toPlain(update[field]), toPlain(current[field]));
  });
}

/** Empty texts keep the current values. */
const isLeftAsItIs = (field: keyof JobUpdate, value: unknown) =>
  ["name", "url", "frequency"].includes(field) && (value === "" || value === null);

/** As the value arrives in JSON: without what is undefined. */
const toPlain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
