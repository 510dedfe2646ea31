import { alertIfOf, rulesOf } from "#checks/inherit.ts";
import { readKept } from "#checks/snapshots.ts";
import { RuleFailure, TookTooMuch } from "#checks/took-too-much.ts";
import { AppError } from "#contract/errors.ts";
import type { GroupSettings } from "#contract/job.ts";
import { foldWords } from "#detection/rules.ts";
import { unlessLost } from "#storage/blobs.ts";
import { findNewestCapture, keptOf } from "#storage/executions.ts";
import { findJob, type JobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { openTrigger, type RulesInput } from "./rules.ts";

type Needed = Pick<Deps, "db" | "blobs" | "detector" | "secrets">;
type Ruled = Pick<
  JobRow,
  "id" | "account_id" | "selector" | "ignore" | "handed" | "lookup" | "follow" | "alert_if"
>;
type Given = Pick<RulesInput, "selector" | "ignore" | "lookup" | "trigger" | "alertIf" | "values">;

/**
 * Refuses rules that can't be applied to their job's newest capture within their budget, as every check would have to.
 * Of a job that has no capture of its page yet nothing can be said: then its first check says it.
 */
export async function assertRulesFit(
  deps: Needed,
  accountId: string,
  jobId: string,
  { url, ...given }: Given & { url?: string | undefined },
): Promise<void> {
  const job = await findJob(deps.db, accountId, jobId);
  if (!job || (url && url.trim() !== job.url)) return;
  const wanted = withGiven(job, given);
  const strings = openTrigger(deps.secrets, job)?.strings ?? [];
  const wantedStrings = given.trigger === undefined ? strings : (given.trigger?.strings ?? []);
  if (ruleTexts(job, strings) === ruleTexts(wanted, wantedStrings)) return;
  await tryOnCapture(deps, wanted, wantedStrings, given);
}

/** The same for what a group gives to one of its jobs. */
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

/** All that is applied to a capture, to tell whether it is other than before. */
const ruleTexts = (job: Ruled, strings: string[]) =>
  JSON.stringify([rulesOf(job), job.lookup, job.follow, alertIfOf(job), strings]);

function withGiven(job: JobRow, given: Given): Ruled {
  const { selector = job.selector, ignore = job.ignore, lookup = job.lookup } = given;
  const { values = job.follow, alertIf = job.alert_if } = given;
  const own = { selector: selector?.trim() || null, ignore: ignore.map((entry) => entry.trim()) };
  return { ...job, ...own, lookup, follow: values, alert_if: alertIf };
}

async function tryOnCapture(
  deps: Needed,
  job: Ruled,
  strings: string[],
  given: Given,
  of = "",
): Promise<void> {
  const newest = await findNewestCapture(deps.db, job.account_id, job.id);
  const kept = newest && keptOf(newest);
  const capture = kept && (await readKept(deps, job.account_id, kept).catch(unlessLost));
  if (!capture) return;
  try {
    await deps.detector.for(job.account_id).applyAll({
      capture,
      rules: rulesOf(job),
      follow: job.follow,
      lookup: job.lookup,
      alertIf: alertIfOf(job),
      strings,
    });
  } catch (error) {
    // A page that takes too long by itself is no fault of the rules.
    if (error instanceof TookTooMuch) return;
    if (!(error instanceof RuleFailure)) throw error;
    const tried = `Tried on the capture of execution #${newest.number}${of}.`;
    throw new AppError("INVALID_INPUT", `${error.message} ${tried}`, { field: fieldOf(error.rule, given) });
  }
}

/** The field that a rule was given in, where it was among what is saved now. */
function fieldOf(rule: string, given: Given): string | undefined {
  const isIt = (text: string) => text.trim() === rule.trim() || foldWords(text).includes(foldWords(rule));
  if (given.selector && given.selector.split("\n").some(isIt)) return "selector";
  const lists = {
    ignore: given.ignore,
    "lookup.strings": given.lookup?.strings,
    "trigger.strings": given.trigger?.strings,
    values: given.values?.map((value) => value.rule),
    "alertIf.conditions": given.alertIf?.conditions.map((one) => (one.what === "text" ? one.text : "")),
  };
  for (const [name, texts = []] of Object.entries(lists)) {
    const at = texts.findIndex(isIt);
    if (at >= 0) return name === "values" ? `values.${at}.rule` : `${name}.${at}`;
  }
  return undefined;
}
