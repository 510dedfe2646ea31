import { RuleFailure, TookTooMuch } from "#checks/detection-threads/limit-errors.ts";
import { readStoredCapture } from "#checks/store-capture.ts";
import { AppError } from "#contract/errors.ts";
import type { GroupSettings } from "#contract/job.ts";
import type { ComparedName, SettingsInput } from "#contract/job-settings.ts";
import { normalizeWords } from "#detection/selectors-and-ignore-rules/normalize-words.ts";
import { comparedSettings, rulesOf } from "#group-defaults/inherit.ts";
import { unlessLost } from "#storage/blobs.ts";
import { findNewestCapture, storedPartsOf } from "#storage/executions.ts";
import { withSettings } from "#storage/job-settings.ts";
import { findJob, type JobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { trimRules } from "./prepare-settings.ts";
import { openTrigger } from "./rules.ts";

type Needed = Pick<Deps, "db" | "blobs" | "detector" | "secrets">;
type GivenRules = Pick<SettingsInput, ComparedName | "trigger">;

/**
 * Refuses rules that can't be applied to their job's newest capture within their budget, as every check would have to.
 * Without a capture of the job's page nothing can be tried; the job's first check then reports the problem.
 */
export async function assertRulesFit(
  deps: Needed,
  accountId: string,
  jobId: string,
  { url, ...given }: GivenRules & { url?: string | undefined },
): Promise<void> {
  const job = await findJob(deps.db, accountId, jobId);
  if (!job || (url && url.trim() !== job.url)) return;
  const { trigger, ...rules } = trimRules(given);
  const wanted = withSettings(job, rules);
  const strings = openTrigger(deps.secrets, job)?.strings ?? [];
  const wantedStrings = trigger === undefined ? strings : (trigger?.strings ?? []);
  if (ruleTexts(job, strings) === ruleTexts(wanted, wantedStrings)) return;
  await tryOnCapture(deps, wanted, wantedStrings, given);
}

/** The same for the defaults that a group gives to one of its jobs. */
export async function assertGroupRulesFit(
  deps: Needed,
  job: JobRow,
  given: Pick<GroupSettings, "selector" | "ignore" | "alertIf">,
): Promise<void> {
  const wanted = { ...job, handed: { ...job.handed, ...given, selector: given.selector?.trim() || null } };
  const strings = openTrigger(deps.secrets, job)?.strings ?? [];
  if (ruleTexts(job, []) === ruleTexts(wanted, [])) return;
  await tryOnCapture(deps, wanted, strings, given, ` of the job ${job.name}`);
}

/** All rules that are applied to a capture, as text, to find out whether they changed. */
function ruleTexts(job: JobRow, strings: string[]): string {
  const { awaited: _, ...rules } = comparedSettings(job);
  return JSON.stringify([rules, strings]);
}

async function tryOnCapture(
  deps: Needed,
  job: JobRow,
  strings: string[],
  given: GivenRules,
  jobLabel = "",
): Promise<void> {
  const newest = await findNewestCapture(deps.db, job.account_id, job.id);
  const kept = newest && storedPartsOf(newest);
  const capture = kept && (await readStoredCapture(deps, job.account_id, kept).catch(unlessLost));
  if (!capture) return;
  try {
    const { lookup, alertIf, values: follow } = comparedSettings(job);
    const all = { capture, rules: rulesOf(job), follow, lookup, alertIf, strings };
    await deps.detector.for(job.account_id).applyAll(all);
  } catch (error) {
    // If the page itself takes too long, the rules aren't at fault.
    if (error instanceof TookTooMuch) return;
    if (!(error instanceof RuleFailure)) throw error;
    const tried = `Tried on the capture of execution #${newest.number}${jobLabel}.`;
    throw new AppError("INVALID_INPUT", `${error.message} ${tried}`, { field: fieldOf(error.rule, given) });
  }
}

/** The field that contains a rule, if it is among those that are saved now. */
function fieldOf(rule: string, given: GivenRules): string | undefined {
  const matches = (text: string) =>
    text.trim() === rule.trim() || normalizeWords(text).includes(normalizeWords(rule));
  if (given.selector && given.selector.split("\n").some(matches)) return "selector";
  const lists = {
    ignore: given.ignore,
    "lookup.strings": given.lookup?.strings,
    "trigger.strings": given.trigger?.strings,
    values: given.values?.map((value) => value.rule),
    "alertIf.conditions": given.alertIf?.conditions.map((one) =>
      one.what === "text" || one.what === "matches" ? one.text : "",
    ),
  };
  for (const [name, texts = []] of Object.entries(lists)) {
    const at = texts.findIndex(matches);
    if (at >= 0) return name === "values" ? `values.${at}.rule` : `${name}.${at}`;
  }
  return undefined;
}
