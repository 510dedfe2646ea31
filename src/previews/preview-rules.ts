import type { Deps } from "#checks/deps.ts";
import { refuseTooMuch } from "#checks/detection-threads/refuse-too-much.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import type { Actor } from "#contract/actor.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Coverage, CoverInput } from "#contract/coverage.ts";
import { AppError } from "#contract/errors.ts";
import { maxRuleLength } from "#contract/job.ts";
import { assertCapture } from "#history/read-capture.ts";
import { ownExecution } from "#history/read-execution.ts";
import { ownJob } from "#jobs/read-job.ts";
import { findNewestCapture, storedPartsOf } from "#storage/executions.ts";
import { readPreviewCapture } from "./read-preview.ts";

type Source = { accountId: string; snapshot: Snapshot; name: string; image: string };

/** Reads a capture of a job; the newest if no execution is given. */
export async function jobSource(
  deps: Deps,
  actor: Actor,
  jobId: string,
  executionId?: string,
): Promise<Source> {
  const { accountId } = actor;
  await ownJob(deps, actor, jobId);
  const row = executionId
    ? await ownExecution(deps, actor, jobId, executionId)
    : await findNewestCapture(deps.db, accountId, jobId);
  if (!row || !storedPartsOf(row)) throw new AppError("NOT_FOUND", "There is no capture yet.");
  return {
    accountId,
    snapshot: await readSnapshot(deps, accountId, assertCapture(row)),
    name: `the capture of execution #${row.number}`,
    image: `/api/jobs/${jobId}/executions/${row.id}/image`,
  };
}

export async function previewSource(deps: Deps, actor: Actor, id: string): Promise<Source> {
  const snapshot = { ...(await readPreviewCapture(deps, actor, id)), picture: null };
  return { accountId: actor.accountId, snapshot, name: "the preview", image: `/api/previews/${id}/image` };
}

const tooLong = "This takes too long on this page.";
const tooLarge = "A rule is at most 1,000 characters.";

/** Lines of a selector, and whether each is within the length that a selector may have. */
function linesOf(selector: string): { line: string; fits: boolean }[] {
  let length = 0;
  return selector.split("\n").flatMap((line) => {
    length += line.length + 1;
    return line.trim() === "" ? [] : [{ line, fits: length - 1 <= maxRuleLength }];
  });
}

/** How much of a capture each rule covers, while the user types; a rule that can't be saved gets a problem instead. */
export async function measureCoverage(
  deps: Deps,
  { accountId, snapshot, name, image }: Source,
  input: CoverInput,
) {
  const lines = linesOf(input.selector ?? "");
  const fits = (rule: string) => rule.length <= maxRuleLength;
  const { steps, compareAs = null } = input;
  const rules = {
    selector: lines.flatMap(({ line, fits }) => (fits ? line : [])).join("\n"),
    ignore: input.ignore.filter(fits),
    steps,
    compareAs,
  };
  const follow = input.values.map(({ by, rule }) => ({ name: "it", by, rule: fits(rule) ? rule : "" }));
  const covered = await deps.detector.for(accountId).cover({ snapshot, rules, follow });
  const pair = (all: boolean[], found: Coverage[] | undefined): Coverage[] => {
    const queue = found?.slice();
    return all.map((isTried) => (isTried ? (queue?.shift() ?? { problem: tooLong }) : { problem: tooLarge }));
  };
  return {
    selector: pair(
      lines.map((line) => line.fits),
      covered?.selector,
    ),
    ignore: pair(input.ignore.map(fits), covered?.ignore),
    values: input.values.map(({ rule }, at) =>
      fits(rule) ? (covered?.values[at] ?? { problem: tooLong }) : { problem: tooLarge },
    ),
    steps: covered?.steps ?? [],
    of: name,
    image,
  };
}

export async function readElements(deps: Deps, { accountId, snapshot }: Source) {
  return { elements: await refuseTooMuch(deps.detector.for(accountId).elements(snapshot)) };
}

/** Makes a short selector for one element of a capture. */
export async function pickSelectorFrom(deps: Deps, { accountId, snapshot }: Source, at: number) {
  const picked = await deps.detector.for(accountId).pick({ snapshot, at });
  if (picked === undefined) throw new AppError("CONFLICT", tooLong);
  if (!picked) throw new AppError("NOT_FOUND", "This element doesn’t exist.");
  return picked;
}
