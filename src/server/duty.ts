import { setTimeout as sleep } from "node:timers/promises";
import type { Attempt } from "#queue/queue.ts";
import type { TaskName, Tasks } from "#queue/tasks.ts";
import type { App } from "./app.ts";
import type { Role } from "./config.ts";

/** Something a process does by itself, and in which role. */
export type Duty = {
  name: string;
  role: Exclude<Role, "all">;
  /** Answers how to end it. */
  start(app: App): Promise<() => Promise<void>>;
  /** Its tasks need what it opened until the queue has drained: it is ended after the queue. */
  outlivesQueue?: true;
};

/** The queue waits for its tasks when it is closed. */
export const endedByQueue = async () => undefined;

/** A task that workers take from the queue. */
export function task<Name extends TaskName>(
  name: Name,
  width: number,
  work: (app: App, data: Tasks[Name], attempt: Attempt) => Promise<void>,
): Duty {
  return {
    name,
    role: "worker",
    async start(app) {
      await app.queue.work(name, { width }, (data, attempt) => work(app, data, attempt));
      return endedByQueue;
    },
  };
}

/**
 * Works, waits, works again: never twice at once. A failure is logged once until it works again. Work may answer that it
 * wants to be done again sooner.
 */
export function clock(
  name: string,
  everyMs: number,
  problem: string,
  work: (app: App, signal: AbortSignal) => Promise<number | void>,
): Duty {
  async function run(app: App, signal: AbortSignal): Promise<void> {
    let failing = false;
    while (!signal.aborted) {
      let waitMs = everyMs;
      try {
        waitMs = Math.min(everyMs, (await work(app, signal)) ?? everyMs);
        failing = false;
      } catch (error) {
        if (!failing) app.logger.warn({ err: error }, problem);
        failing = true;
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return {
    name,
    role: "scheduler",
    async start(app) {
      const stop = new AbortController();
      const running = run(app, stop.signal);
      return async () => {
        stop.abort();
        await running;
      };
    },
  };
}
