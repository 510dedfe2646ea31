import type { App } from "../app.ts";

export type ReadinessProblem = {
  sentence: string;
  /** For the operator only. */
  reason?: string;
  /** The process can answer calls all the same. */
  isServing?: boolean;
};

/**
 * Why a process can't do all of its work. Without its store for captures, checks wait and stored pictures are missing,
 * but everything else is answered, so a process with the API still takes calls.
 */
export async function findReadinessProblem(app: App): Promise<ReadinessProblem | undefined> {
  if (!(await app.queue.ready())) return { sentence: "The database or the queue is not reachable." };
  if (app.config.role === "scheduler") return undefined;
  if (app.browserProblem) return { sentence: "The browser does not start.", reason: app.browserProblem };
  try {
    await app.jobs.blobs.probe();
    return undefined;
  } catch (error) {
    app.logger.warn({ err: error }, "captures cannot be stored");
    return {
      sentence: "Captures cannot be stored.",
      reason: (error as Error).message,
      isServing: app.config.role !== "worker",
    };
  }
}
