import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { makeThumbnail } from "#images/make-thumbnail.ts";
import { readPixels } from "#storage/contents.ts";
import { ownExecution } from "./read-execution.ts";

/** A small picture of an execution's screenshot, for lists. */
export async function readThumbnail(
  deps: Deps,
  actor: Actor,
  jobId: string,
  id: string,
): Promise<Uint8Array> {
  const { picture } = await ownExecution(deps, actor, jobId, id);
  if (!picture) throw new AppError("NOT_FOUND", "This check has no picture.");
  return makeThumbnail(await readPixels(deps, actor.accountId, picture));
}
