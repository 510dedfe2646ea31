import { filterPastSnapshot } from "#checks/apply-job-rules.ts";
import { RuleFailure } from "#checks/detection-threads/limit-errors.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import { rulesOf } from "#group-defaults/inherit.ts";
import type { ChangeRecord } from "#history/read-change.ts";
import { openTrigger } from "#jobs/rules.ts";
import { storedPartsOf } from "#storage/executions.ts";
import type { Deps } from "./deps.ts";

export type SearchDeps = Pick<Deps, "db" | "blobs" | "secrets" | "detector">;

/** Whether the changed page contains one of the strings; undefined if that takes too long to find out. */
export async function containsOneOf(
  deps: SearchDeps,
  change: ChangeRecord,
  strings: string[],
): Promise<boolean | undefined> {
  const source = await readSource(deps, change);
  return source ? detectorOf(deps, change).holdsOneOf({ source, strings }) : false;
}

/** Those strings of the trigger and the job that the changed page contains, one per line. */
export async function matchedStrings(deps: SearchDeps, change: ChangeRecord): Promise<string> {
  const { strings: triggerStrings = [] } = openTrigger(deps.secrets, change.job) ?? {};
  const strings = [...new Set([...triggerStrings, ...(change.job.lookup?.strings ?? [])])];
  const source = strings.length > 0 && (await readSource(deps, change));
  if (!source) return "";
  const found: string[] = [];
  for (const one of strings) {
    const holds = detectorOf(deps, change).holdsOneOf({ source, strings: [one] });
    // A string that can't be searched for counts as not found.
    if (await holds.catch(unlessRuleFailed)) found.push(one);
  }
  return found.join("\n");
}

/** Reads the execution's capture, filtered by the job's rules. */
async function readSource(deps: SearchDeps, { job, execution }: ChangeRecord) {
  const stored = storedPartsOf(execution);
  if (!stored) return null;
  const capture = await readSnapshot(deps, job.account_id, stored);
  const { snapshot } = await filterPastSnapshot(
    { detector: deps.detector.for(job.account_id) },
    capture,
    rulesOf(job),
  );
  const { html, text } = snapshot;
  return { html, text };
}

const detectorOf = ({ detector }: SearchDeps, { job }: ChangeRecord) => detector.for(job.account_id);

function unlessRuleFailed(error: unknown): false {
  if (error instanceof RuleFailure) return false;
  throw error;
}
