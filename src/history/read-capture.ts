import type { Deps } from "#checks/deps.ts";
import { readSnapshot, readText } from "#checks/snapshots.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { readPng } from "#storage/chains.ts";
import { type ExecutionRow, type Kept, keptOf } from "#storage/executions.ts";
import { ownExecution } from "./read-execution.ts";

/** What an execution kept; refuses one that showed nothing. */
export function assertKept(row: ExecutionRow): Kept {
  const kept = keptOf(row);
  if (!kept) throw new AppError("NOT_FOUND", "This check has no capture.");
  return kept;
}

async function ownCapture(deps: Deps, actor: Actor, jobId: string, id: string): Promise<Kept> {
  return assertKept(await ownExecution(deps, actor, jobId, id));
}

export async function readImage(deps: Deps, actor: Actor, jobId: string, id: string): Promise<Uint8Array> {
  const { picture } = await ownCapture(deps, actor, jobId, id);
  if (!picture) throw new AppError("NOT_FOUND", "This check has no picture.");
  return readPng(deps, actor.accountId, picture);
}

export async function readHtml(deps: Deps, actor: Actor, jobId: string, id: string): Promise<string> {
  return readText(deps, actor.accountId, (await ownCapture(deps, actor, jobId, id)).html);
}

/** The visible text, one block a line. */
export async function readVisibleText(deps: Deps, actor: Actor, jobId: string, id: string): Promise<string> {
  const snapshot = await readSnapshot(deps, actor.accountId, await ownCapture(deps, actor, jobId, id));
  return snapshot.text.map((block) => block.text).join("\n");
}

/** Both parts as the specification's call has them; a part that does not exist is empty. */
export async function readMetadata(deps: Deps, actor: Actor, jobId: string, id: string) {
  const kept = keptOf(await ownExecution(deps, actor, jobId, id));
  const [image, html] = await Promise.all([
    kept?.picture ? readPng(deps, actor.accountId, kept.picture) : "",
    kept ? readText(deps, actor.accountId, kept.html) : "",
  ]);
  return { image: Buffer.from(image).toString("base64"), html: Buffer.from(html).toString("base64") };
}
