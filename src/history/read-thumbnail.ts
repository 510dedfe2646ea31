import sharp from "sharp";
import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { readPixels } from "#storage/chains.ts";
import { ownExecution } from "./read-execution.ts";

const size = { width: 480, height: 320 };

/** The top of a screenshot, small enough for a list. */
export async function readThumbnail(
  deps: Deps,
  actor: Actor,
  jobId: string,
  id: string,
): Promise<Uint8Array> {
  const { picture } = await ownExecution(deps, actor, jobId, id);
  if (!picture) throw new AppError("NOT_FOUND", "This check has no picture.");
  const { width, height, channels, data } = await readPixels(deps, actor.accountId, picture);
  const rows = Math.max(1, Math.min(height, Math.round((width * size.height) / size.width)));
  const top = data.subarray(0, rows * width * channels);
  return sharp(top, { raw: { width, height: rows, channels } })
    .resize({ width: Math.min(width, size.width) })
    .webp({ quality: 70, effort: 1 })
    .toBuffer();
}
