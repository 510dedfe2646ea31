import { filterPastSnapshot } from "#checks/apply-job-rules.ts";
import type { Deps } from "#checks/deps.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import type { Image } from "#detection/picture-comparison/compare-image.ts";
import { see } from "#detection/picture-comparison/crop-area.ts";
import { rulesOf } from "#group-defaults/inherit.ts";
import { readPixels } from "#storage/contents.ts";
import { type ExecutionRow, storedPartsOf } from "#storage/executions.ts";
import type { JobRow } from "#storage/jobs.ts";

/** An execution's picture, filtered by its job's rules; null if it has none, or the visible areas are unknown. */
export async function readFilteredPicture(
  deps: Pick<Deps, "db" | "blobs" | "detector">,
  accountId: string,
  job: JobRow,
  execution: ExecutionRow | null,
): Promise<Image | null> {
  const capture = execution && storedPartsOf(execution);
  if (!capture?.picture) return null;
  const pixels = await readPixels(deps, accountId, capture.picture);
  const rules = rulesOf(job);
  if (rules.selector === null && rules.ignore.length === 0) return pixels;
  const detector = deps.detector.for(accountId);
  const { comparedArea } = await filterPastSnapshot(
    { detector },
    await readSnapshot(deps, accountId, capture),
    rules,
  );
  return comparedArea && see(pixels, comparedArea).image;
}
