import type { Deps } from "#checks/deps.ts";
import type { Settings } from "#checks/replay-captures.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import type { TrialInput } from "#contract/trial.ts";
import { refuseRules } from "#detection/rules.ts";
import { findAccount } from "#storage/accounts.ts";
import type { JobRow } from "#storage/jobs.ts";

export type Tried = Pick<TrialInput, "selector" | "ignore" | "awaited" | "lookup">;

/** A job's settings as they would be; refuses rules that cannot be understood. */
export async function triedSettings({ db }: Pick<Deps, "db">, job: JobRow, tried: Tried): Promise<Settings> {
  const { selector = job.selector, ignore = job.ignore, lookup = job.lookup } = tried;
  const refusal = refuseRules({ selector, ignore, lookup });
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: refusal.field });
  const account = lookup && (await findAccount(db, job.account_id));
  return {
    selector: selector?.trim() || null,
    ignore: ignore.map((entry) => entry.trim()),
    awaited: tried.awaited ?? job.awaited,
    lookup: account && planById(account.plan_id).textLookup ? lookup : null,
  };
}
