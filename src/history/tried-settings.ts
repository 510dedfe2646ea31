import type { Deps } from "#checks/deps.ts";
import { alertIfOf, rulesOf } from "#checks/inherit.ts";
import type { Settings } from "#checks/replay-captures.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import type { TrialInput } from "#contract/trial.ts";
import { refuseConditions } from "#detection/conditions.ts";
import { assertRules } from "#jobs/assert-rules.ts";
import { findAccount } from "#storage/accounts.ts";
import type { JobRow } from "#storage/jobs.ts";

export type Tried = Pick<TrialInput, "selector" | "ignore" | "awaited" | "lookup" | "alertIf" | "values">;

/** A job's settings as they would be, with what its group hands down; refuses rules that cannot be understood. */
export async function triedSettings({ db }: Pick<Deps, "db">, job: JobRow, tried: Tried): Promise<Settings> {
  const { selector = job.selector, ignore = job.ignore, lookup = job.lookup } = tried;
  const { values: follow = job.follow, alertIf = job.alert_if } = tried;
  await assertRules({ selector, ignore, lookup, values: follow });
  const names = follow.map(({ name }) => name);
  const wrong = alertIf && refuseConditions(alertIf, names);
  if (wrong) throw new AppError("INVALID_INPUT", wrong.reason, { field: `alertIf.conditions.${wrong.at}` });
  const account = lookup && (await findAccount(db, job.account_id));
  const own = { selector: selector?.trim() || null, ignore: ignore.map((entry) => entry.trim()) };
  return {
    ...rulesOf({ ...job, ...own }),
    awaited: tried.awaited ?? job.awaited,
    lookup: account && planById(account.plan_id).textLookup ? lookup : null,
    follow,
    alertIf: alertIfOf({ ...job, alert_if: alertIf }),
  };
}
