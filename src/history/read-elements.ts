import type { Deps } from "#checks/deps.ts";
import { readSnapshot } from "#checks/snapshots.ts";
import { openPreview } from "#checks/take-preview.ts";
import type { Actor } from "#contract/actor.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Coverage, CoverInput } from "#contract/coverage.ts";
import { AppError } from "#contract/errors.ts";
import { ruleLength } from "#contract/job.ts";
import type { Preview } from "#contract/preview.ts";
import { ownJob } from "#jobs/read-job.ts";
import { findNewestCapture, keptOf } from "#storage/executions.ts";
import { findPreview } from "#storage/previews.ts";
import { assertKept } from "./read-capture.ts";
import { ownExecution } from "./read-execution.ts";

type Source = { accountId: string; snapshot: Snapshot; name: string };

/** A capture of a job; the newest where none is named. */
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
  if (!row || !keptOf(row)) throw new AppError("NOT_FOUND", "There is no capture yet.");
  return {
    accountId,
    snapshot: await readSnapshot(deps, accountId, assertKept(row)),
    name: `the capture of execution #${row.number}`,
  };
}

async function ownPreview(deps: Deps, { accountId }: Actor, id: string) {
  const row = await findPreview(deps.db, accountId, id);
  if (!row) throw new AppError("NOT_FOUND", "This preview is over. Take it again.");
  return row;
}

/** What a preview saw, with its picture. */
async function previewed(deps: Deps, actor: Actor, id: string): Promise<Snapshot> {
  const snapshot = await openPreview(deps, await ownPreview(deps, actor, id));
  if (!snapshot) throw new AppError("NOT_FOUND", "This preview is over. Take it again.");
  return snapshot;
}

export async function previewSource(deps: Deps, actor: Actor, id: string): Promise<Source> {
  const snapshot = { ...(await previewed(deps, actor, id)), picture: null };
  return { accountId: actor.accountId, snapshot, name: "the preview" };
}

export async function readPreview(deps: Deps, actor: Actor, id: string): Promise<Preview> {
  const row = await ownPreview(deps, actor, id);
  const snapshot = await openPreview(deps, row);
  return {
    id: row.id,
    url: row.url,
    state: row.state,
    error: row.error,
    status_code: snapshot?.status ?? null,
    title: snapshot?.title ?? "",
    hasImage: Boolean(snapshot?.picture),
  };
}

export async function readPreviewImage(deps: Deps, actor: Actor, id: string): Promise<Uint8Array> {
  const { picture } = await previewed(deps, actor, id);
  if (!picture) throw new AppError("NOT_FOUND", "This preview has no picture.");
  return picture.png;
}

const tooLong = "This takes too long on this page.";
const tooLarge = "A rule is at most 1,000 characters.";

/** How much of a capture each rule covers, while they are typed; what could not be saved is told at its place. */
export async function coverCapture(deps: Deps, { accountId, snapshot, name }: Source, input: CoverInput) {
  const lines = (input.selector ?? "").split("\n").filter((line) => line.trim() !== "");
  const fits = (rule: string) => rule.length <= ruleLength;
  const rules = { selector: lines.filter(fits).join("\n"), ignore: input.ignore.filter(fits) };
  const covered = await deps.detector.for(accountId).cover({ snapshot, rules });
  const told = (all: string[], found: Coverage[] | undefined): Coverage[] => {
    const left = found?.slice();
    return all.map((rule) => (fits(rule) ? (left?.shift() ?? { problem: tooLong }) : { problem: tooLarge }));
  };
  return { selector: told(lines, covered?.selector), ignore: told(input.ignore, covered?.ignore), of: name };
}

export async function readElements(deps: Deps, { accountId, snapshot }: Source) {
  return { elements: await deps.detector.for(accountId).elements(snapshot) };
}

/** A short selector for one element of a capture. */
export async function pickFrom(deps: Deps, { accountId, snapshot }: Source, at: number) {
  const picked = await deps.detector.for(accountId).pick({ snapshot, at });
  if (picked === undefined) throw new AppError("CONFLICT", tooLong);
  if (!picked) throw new AppError("NOT_FOUND", "There is no such element.");
  return picked;
}
