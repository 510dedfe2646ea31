import type { App } from "./app.ts";

/** What keeps a process from doing its work: a sentence for anyone, and the reason for its operator. */
export async function whyNotReady(app: App): Promise<{ sentence: string; reason?: string } | undefined> {
  if (!(await app.queue.ready())) return { sentence: "The database or the queue is not reachable." };
  if (app.config.role === "scheduler") return undefined;
  try {
    await app.jobs.blobs.probe();
    return undefined;
  } catch (error) {
    app.logger.warn({ err: error }, "captures cannot be stored");
    return { sentence: "Captures cannot be stored.", reason: (error as Error).message };
  }
}
