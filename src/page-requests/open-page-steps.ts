import type { StepsRequest } from "#capture/capture-page.ts";
import { inherit, stepSecretsOf } from "#group-defaults/inherit.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import type { JobRow } from "#storage/jobs.ts";
import { takeOneTimeCode } from "./take-one-time-code.ts";

/** The steps before a job's capture, with the secrets that they type; null if there are none. */
export function openPageSteps(
  { secrets, db }: { secrets: SecretBox; db: Database },
  job: Pick<
    JobRow,
    | "id"
    | "account_id"
    | "group_id"
    | "settings"
    | "handed"
    | "step_secrets_sealed"
    | "group_step_secrets_sealed"
  >,
): StepsRequest | null {
  const steps = inherit(job, "pageSteps") ?? [];
  if (steps.length === 0) return null;
  return {
    steps,
    secrets: new Map(stepSecretsOf(secrets, job).map(({ name, value }) => [name, value])),
    takeCode: (key) => takeOneTimeCode(db, job.account_id, key),
  };
}
