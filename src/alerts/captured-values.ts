import { filterPastCapture } from "#checks/apply-job-rules.ts";
import { readStoredCapture } from "#checks/store-capture.ts";
import type { CaptureText } from "#checks/write-capture-texts.ts";
import { rulesOf } from "#group-defaults/inherit.ts";
import type { ChangeRecord } from "#history/read-change.ts";
import { placeholdersIn, type TemplateValues } from "#message-templates/template.ts";
import { type ExecutionRow, storedPartsOf } from "#storage/executions.ts";
import { matchedStrings, type SearchDeps } from "./search-change.ts";

const captureTexts: CaptureText[] = ["snapshot", "diff.full", "patch"];

/** Values that are read from the captures themselves, which takes a while: only those that a template uses. */
export type CapturedValues = Pick<TemplateValues, "matched" | "snapshot" | "diff.full" | "patch">;

export async function capturedValues(
  deps: SearchDeps,
  change: ChangeRecord,
  template: string,
): Promise<CapturedValues> {
  const used = new Set(placeholdersIn(template));
  const matched = used.has("matched") ? { matched: await matchedStrings(deps, change) } : {};
  const wanted = captureTexts.filter((name) => used.has(name));
  if (wanted.length === 0) return matched;
  const isCompared = wanted.some((name) => name !== "snapshot");
  const [before, after] = await Promise.all([
    isCompared ? readView(deps, change, change.before) : null,
    readView(deps, change, change.execution),
  ]);
  const texts = await deps.detector.for(change.job.account_id).writeTexts({ before, after, wanted });
  return { ...matched, ...texts };
}

/** A capture as it is compared; null if it is no longer stored. */
async function readView(deps: SearchDeps, { job }: ChangeRecord, execution: ExecutionRow | null) {
  const stored = execution && storedPartsOf(execution);
  if (!stored) return null;
  const capture = await readStoredCapture(deps, job.account_id, stored);
  return filterPastCapture({ detector: deps.detector.for(job.account_id) }, capture, rulesOf(job));
}
