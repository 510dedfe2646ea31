import type { Deps } from "#checks/deps.ts";
import { readSnapshot, readText } from "#checks/store-capture.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { readBytes, readPng } from "#storage/contents.ts";
import { findExecutionSteps } from "#storage/execution-steps.ts";
import { type ExecutionRow, type Kept, storedPartsOf } from "#storage/executions.ts";
import { ownExecution } from "./read-execution.ts";

/** Returns an execution's stored capture; refuses an execution without one. */
export function assertCapture(row: ExecutionRow): Kept {
  const capture = storedPartsOf(row);
  if (!capture) throw new AppError("NOT_FOUND", "This check has no capture.");
  return capture;
}

async function ownCapture(deps: Deps, actor: Actor, jobId: string, id: string): Promise<Kept> {
  return assertCapture(await ownExecution(deps, actor, jobId, id));
}

export async function readImage(deps: Deps, actor: Actor, jobId: string, id: string): Promise<Uint8Array> {
  const { picture } = await ownCapture(deps, actor, jobId, id);
  if (!picture) throw new AppError("NOT_FOUND", "This check has no picture.");
  return readPng(deps, actor.accountId, picture);
}

export async function readHtml(deps: Deps, actor: Actor, jobId: string, id: string): Promise<string> {
  return readText(deps, actor.accountId, (await ownCapture(deps, actor, jobId, id)).html);
}

/** The picture of the page after a step before the capture. */
export async function readStepImage(
  deps: Deps,
  actor: Actor,
  { jobId, executionId, step }: { jobId: string; executionId: string; step: number },
): Promise<Uint8Array> {
  await ownExecution(deps, actor, jobId, executionId);
  const steps = await findExecutionSteps(deps.db, actor.accountId, executionId);
  const picture = steps[step - 1]?.picture;
  if (!picture) throw new AppError("NOT_FOUND", "This step has no picture.");
  return readBytes(deps, actor.accountId, Buffer.from(picture, "hex"));
}

/** The visible text, one text block per line. */
export async function readVisibleText(deps: Deps, actor: Actor, jobId: string, id: string): Promise<string> {
  const snapshot = await readSnapshot(deps, actor.accountId, await ownCapture(deps, actor, jobId, id));
  return snapshot.text.map((block) => block.text).join("\n");
}

/** Picture and HTML as the specification's call defines them; a missing part is empty. */
export async function readMetadata(deps: Deps, actor: Actor, jobId: string, id: string) {
  const capture = storedPartsOf(await ownExecution(deps, actor, jobId, id));
  const [image, html] = await Promise.all([
    capture?.picture ? readPng(deps, actor.accountId, capture.picture) : "",
    capture ? readText(deps, actor.accountId, capture.html) : "",
  ]);
  return { image: Buffer.from(image).toString("base64"), html: Buffer.from(html).toString("base64") };
}
