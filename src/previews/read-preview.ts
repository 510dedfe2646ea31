import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { Snapshot } from "#contract/capture.ts";
import { AppError } from "#contract/errors.ts";
import type { Preview } from "#contract/preview.ts";
import { findPreview } from "#storage/previews.ts";
import { openPreview, openPreviewSteps } from "./take-preview.ts";

async function ownPreview(deps: Deps, { accountId }: Actor, id: string) {
  const row = await findPreview(deps.db, accountId, id);
  if (!row) throw new AppError("NOT_FOUND", "This preview has expired. Take a new one.");
  return row;
}

/** Reads a preview's capture with its picture. */
export async function readPreviewCapture(deps: Deps, actor: Actor, id: string): Promise<Snapshot> {
  const snapshot = await openPreview(deps, await ownPreview(deps, actor, id));
  if (!snapshot) throw new AppError("NOT_FOUND", "This preview has expired. Take a new one.");
  return snapshot;
}

export async function readPreview(deps: Deps, actor: Actor, id: string): Promise<Preview> {
  const row = await ownPreview(deps, actor, id);
  const [snapshot, steps] = await Promise.all([openPreview(deps, row), openPreviewSteps(deps, row)]);
  return {
    id: row.id,
    url: row.url,
    state: row.state,
    error: row.error,
    status_code: snapshot?.status ?? null,
    title: snapshot?.title ?? "",
    hasImage: Boolean(snapshot?.picture),
    steps: steps.map(({ picture, ...step }) => ({ ...step, hasPicture: picture !== null })),
    proofs: row.proofs ?? [],
  };
}

/** The picture of the page after a step. */
export async function readPreviewStepImage(
  deps: Deps,
  actor: Actor,
  { previewId, step }: { previewId: string; step: number },
): Promise<Uint8Array> {
  const steps = await openPreviewSteps(deps, await ownPreview(deps, actor, previewId));
  const picture = steps[step - 1]?.picture;
  if (!picture) throw new AppError("NOT_FOUND", "This step has no picture.");
  return picture;
}

export async function readPreviewImage(deps: Deps, actor: Actor, id: string): Promise<Uint8Array> {
  const { picture } = await readPreviewCapture(deps, actor, id);
  if (!picture) throw new AppError("NOT_FOUND", "This preview has no picture.");
  return picture.png;
}
