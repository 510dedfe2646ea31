import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { type Attempt, type Choice, type Claimed, isNarrower, skipNothing } from "./claim.ts";
import { createSlots, type SlotOptions, type WorkerSlot } from "./worker-slots.ts";

export type WorkerOptions<Data> = SlotOptions<Data> & {
  /** Claims up to `room` tasks. */
  claim: (room: number, choice: Choice | undefined) => Promise<Claimed<Data>[]>;
  handle: (task: Claimed<Data>, slot: WorkerSlot) => Promise<void>;
  /** Reports that a task has ended well. */
  complete: (task: Claimed<Data>) => Promise<unknown>;
  isSettled: (task: Attempt) => boolean;
  onError: (error: Error) => void;
};

export type QueueWorker = {
  name: string;
  /** Claims waiting tasks while there is room. */
  fill(): void;
  /** Sends the heartbeat of the running tasks. */
  touch(): Promise<void>;
  /** Claims no more; waits up to `patienceMs` for running tasks, and gives the rest back to the queue. */
  close(patienceMs: number): Promise<void>;
};

/** Works on one queue's tasks: a free slot is filled immediately as long as tasks wait. */
export function openWorker<Data>(boss: PgBoss, name: string, options: WorkerOptions<Data>): QueueWorker {
  const { onError } = options;
  const running = new Map<string, { task: Claimed<Data>; over: Promise<void> }>();
  const slots = createSlots(options, running, refill);
  let claiming: Promise<void> | undefined;
  /** The last choice that found nothing: until a new task waits, no narrower choice will find any. */
  let emptyChoice: Choice | undefined;
  let fills = 0;
  let needsRefill = false;
  let closed = false;

  async function claimAll(): Promise<void> {
    do {
      needsRefill = false;
      slots.resumeTasks();
      const wanted = closed ? 0 : slots.room();
      if (wanted <= 0) return;
      const choice = slots.choose(wanted);
      if (emptyChoice && isNarrower(choice, emptyChoice)) continue;
      const fillsBefore = fills;
      const tasks = await options.claim(wanted, choice);
      for (const task of tasks) running.set(task.id, { task, over: work(task) });
      if (tasks.length > 0) needsRefill = true;
      if (tasks.length === 0 && fillsBefore === fills) emptyChoice = choice ?? skipNothing;
    } while (needsRefill);
  }

  function fill(): void {
    emptyChoice = undefined;
    fills++;
    refill();
  }

  function refill(): void {
    needsRefill = true;
    claiming ??= claimAll()
      .catch((error: Error) => {
        needsRefill = false;
        onError(error);
      })
      .finally(() => {
        claiming = undefined;
        if (needsRefill) refill();
      });
  }

  async function work(task: Claimed<Data>): Promise<void> {
    const slot = slots.enter(task);
    const end = await withTimeout(task.expireInSeconds, options.handle(task, slot));
    if (end instanceof Error) await retryUntilDone(() => boss.fail(name, task, end));
    else if (!options.isSettled(task)) await retryUntilDone(() => options.complete(task));
    running.delete(task.id);
    slot.release();
    refill();
  }

  /** Retries while the database is away. A report that comes too late has no effect: another attempt runs by then. */
  async function retryUntilDone(report: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; attempt < 60; attempt++) {
      try {
        await report();
        return;
      } catch (error) {
        if (attempt === 0) onError(error as Error);
        if (closed) return;
        await sleep(1000);
      }
    }
  }

  return {
    name,
    fill,
    async touch() {
      const tasks = [...running.values()].map(({ task }) => task);
      if (tasks.length > 0) await boss.touch(name, tasks).catch(onError);
    },
    async close(patienceMs) {
      closed = true;
      await claiming;
      const over = Promise.all([...running.values()].map((entry) => entry.over));
      const stop = new AbortController();
      await Promise.race([
        over,
        sleep(patienceMs, undefined, { signal: stop.signal }).catch(() => undefined),
      ]);
      stop.abort();
      const tasks = [...running.values()].map(({ task }) => task);
      if (tasks.length > 0) await boss.fail(name, tasks, new Error("the process ended")).catch(onError);
    },
  };
}

async function withTimeout(seconds: number, work: Promise<void>): Promise<Error | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new Error(`not over after ${seconds} s`)), seconds * 1000);
  });
  const end = work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  const first = await Promise.race([end, late]);
  clearTimeout(timer);
  return first;
}
