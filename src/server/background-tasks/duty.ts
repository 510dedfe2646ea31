import { setTimeout as sleep } from "node:timers/promises";
import type { Attempt, Work } from "#queue/queue.ts";
import type { TaskName, Tasks } from "#queue/tasks.ts";
import type { App } from "../app.ts";
import type { Role } from "../config.ts";

/** Background work of a process, and the role that does it. */
export type Duty = {
  name: string;
  role: Exclude<Role, "all">;
  /** Starts the work and returns the function that ends it. */
  start(app: App): Promise<() => Promise<void>>;
  /** It is ended after the queue, because its tasks need what it opened until the queue has drained. */
  outlivesQueue?: true;
};

/** There is nothing to end: the queue waits for its tasks when it is closed. */
export const endedByQueue = async () => undefined;

/** A task that workers take from the queue. */
export function task<Name extends TaskName>(
  name: Name,
  options: number | Work,
  run: (app: App, data: Tasks[Name], attempt: Attempt) => Promise<void>,
): Duty {
  return {
    name,
    role: "worker",
    async start(app) {
      const work = typeof options === "number" ? { width: options } : options;
      await app.queue.work(name, work, (data, attempt) => run(app, data, attempt));
      return endedByQueue;
    },
  };
}

/**
 * Repeats work with a pause in between, never twice at once. A failure is logged once until the work succeeds again.
 * The work may return a shorter pause in milliseconds.
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
