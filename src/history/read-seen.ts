import type { Deps } from "#checks/deps.ts";
import { rulesOf } from "#checks/inherit.ts";
import { lookBackThrough } from "#checks/see-through.ts";
import { readSnapshot } from "#checks/snapshots.ts";
import type { Image } from "#detection/compare-image.ts";
import { see } from "#detection/see-pictures.ts";
import { readPixels } from "#storage/chains.ts";
import { type ExecutionRow, keptOf } from "#storage/executions.ts";
import type { JobRow } from "#storage/jobs.ts";

/** What counts of an execution's picture by its job's rules; null where there is none, or nobody can say. */
export async function readSeen(
  deps: Pick<Deps, "db" | "blobs" | "detector">,
  accountId: string,
  job: JobRow,
  execution: ExecutionRow | null,
): Promise<Image | null> {
  const kept = execution && keptOf(execution);
  if (!kept?.picture) return null;
  const pixels = await readPixels(deps, accountId, kept.picture);
  const rules = rulesOf(job);
  if (rules.selector === null && rules.ignore.length === 0) return pixels;
  const detector = deps.detector.for(accountId);
  const { sight } = await lookBackThrough({ detector }, await readSnapshot(deps, accountId, kept), rules);
  return sight && see(pixels, sight).image;
}
