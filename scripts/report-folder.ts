import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const keptRuns = 20;

/** Creates a folder for the reports of one run, named by its time, and deletes all but the newest twenty. */
export function openReportFolder(parent: string, now = new Date()): string {
  const folder = join(parent, now.toISOString().replaceAll(":", "-").slice(0, 19));
  mkdirSync(folder, { recursive: true });
  const runs = readdirSync(parent).toSorted();
  for (const run of runs.slice(0, -keptRuns)) rmSync(join(parent, run), { recursive: true, force: true });
  return folder;
}
