import { validateConditions } from "#alert-conditions/conditions.ts";
import type { Deps } from "#checks/deps.ts";
import type { Settings } from "#checks/replay-captures.ts";
import { AppError } from "#contract/errors.ts";
import type { TestedSettings } from "#contract/rule-test.ts";
import { comparedSettings } from "#group-defaults/inherit.ts";
import { assertRules } from "#jobs/assert-rules.ts";
import { trimRules } from "#jobs/prepare-settings.ts";
import { planById } from "#plans/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import { readPlainSetting, withSettings } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";

/** A job's settings as they would be, with its group's defaults; refuses rules that cannot be parsed. */
export async function testedSettings(
  { db }: Pick<Deps, "db">,
  job: JobRow,
  tried: TestedSettings,
): Promise<Settings> {
  const wanted = withSettings(job, trimRules(tried));
  const { selector, ignore, lookup, follow, alert_if: alertIf } = wanted;
  const steps = readPlainSetting(wanted, "steps");
  await assertRules({ selector, ignore, lookup, values: follow, steps });
  const names = follow.map(({ name }) => name);
  const issue = alertIf && validateConditions(alertIf, names);
  if (issue) throw new AppError("INVALID_INPUT", issue.reason, { field: `alertIf.conditions.${issue.at}` });
  const account = lookup && (await findAccount(db, job.account_id));
  const mayLookUp = account && planById(account.plan_id).textLookup;
  return { ...comparedSettings(wanted), lookup: mayLookUp ? lookup : null };
}
