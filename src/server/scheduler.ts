import { setTimeout as sleep } from "node:timers/promises";
import { enqueueDue } from "#checks/enqueue-due.ts";
import { retain } from "#checks/retain.ts";
import { noteTick } from "#storage/schedule.ts";
import type { App } from "./compose.ts";

const tickMs = 1_000;
const batch = 500;
const retainEveryMs = 15 * 60_000;

/** Claims due jobs every second and keeps histories within their bounds; answers how to stop. */
export function startScheduler(app: App): () => Promise<void> {
  const stop = new AbortController();
  const loops = [
    repeat(app, stop.signal, tickMs, "the schedule stands still", async () => {
      await noteTick(app.db);
      const pass = { from: null };
      while (!stop.signal.aborted && (await enqueueDue(app.jobs, batch, pass)) === batch);
    }),
    repeat(app, stop.signal, retainEveryMs, "old history was not removed", () => retain(app.jobs)),
  ];
  return async () => {
    stop.abort();
    await Promise.all(loops);
  };
}

/** Does something again and again; a failure is logged once until it works again. */
async function repeat(
  app: App,
  signal: AbortSignal,
  everyMs: number,
  problem: string,
  work: () => Promise<void>,
): Promise<void> {
  let failing = false;
  while (!signal.aborted) {
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) app.logger.warn({ err: error }, problem);
      failing = true;
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
