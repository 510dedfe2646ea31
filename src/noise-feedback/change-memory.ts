import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory/noise-memory.ts";
import { findMemory, lockJob, saveMemories } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";

/** Applies a user's feedback to a job's noise memory and logs it. A check that is running meanwhile preserves it. */
export async function changeMemory(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  jobId: string,
  change: (memory: NoiseMemory, at: string) => NoiseMemory,
  line?: { meta: string; executionId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockJob(tx, accountId, jobId))) throw new AppError("NOT_FOUND");
    const { memory, evidence } = await findMemory(tx, jobId);
    const known = openMemory(memory as NoiseMemory | null);
    await saveMemories(tx, [{ jobId, memory: change(known, new Date().toISOString()), evidence }]);
    if (line) await insertLogs(tx, jobId, [{ level: "info", meta: line.meta }], line.executionId);
  });
}
