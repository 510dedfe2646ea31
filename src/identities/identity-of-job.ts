import { noIdentity } from "#contract/identity.ts";
import { inherit } from "#group-defaults/inherit.ts";
import { planById } from "#plans/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import { findIdentity, type IdentityRow } from "#storage/identities.ts";
import { readPlainSetting } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** Who a job's page is captured as. `problem`: why it can't be captured at all, as a sentence. */
type JobIdentity = { row: IdentityRow; problem?: undefined } | { row?: undefined; problem: string };

/** Finds the identity that applies to a job; null if there is none. */
export async function identityOfJob(
  { db }: Pick<Deps, "db">,
  job: Pick<JobRow, "account_id" | "url" | "settings" | "handed">,
): Promise<JobIdentity | null> {
  const id = inherit(job, "identity");
  if (id === null || id === noIdentity) return null;
  const row = await findIdentity(db, job.account_id, id);
  const isInherited = readPlainSetting<"identity">(job, "identity") === null;
  // A group may hold jobs of other sites too.
  if (isInherited && row && !row.origins.includes(URL.parse(job.url)?.origin ?? "")) return null;
  if (!row)
    return { problem: "The identity of this job doesn’t exist any more. Choose another one, or none." };
  const plan = planById((await findAccount(db, job.account_id))?.plan_id ?? "basic");
  if (!plan.identities)
    return {
      problem: `The ${plan.name} plan has no identities, so that this page can’t be captured signed in.`,
    };
  return { row };
}
