import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";

/** One try at a task; a later try of the same task is another attempt. */
export type Attempt = { id: string; retryCount: number };

export type Claimed<Data = object> = Attempt & {
  data: Data;
  expireInSeconds: number;
  /** Whose it is, and where it goes. */
  groupId?: string | null;
  groupTier?: string | null;
};

/** Whom tasks are not taken for now, and how many of one owner at once. */
export type Choice = { fullPlaces: string[]; busyOwners: string[]; perOwner: number };

export type LaneOptions<Data> = {
  /** How many are worked on at once. */
  width: number;
  /** How many more may have left their place and not be over yet. */
  behind?: number;
  /** Whom tasks are taken for, when `inPlace` are those that have not left their places. */
  choose?: (room: number, inPlace: Claimed<Data>[]) => Choice;
  /** Takes up to `room` tasks. */
  claim: (room: number, choice: Choice | undefined) => Promise<Claimed<Data>[]>;
  /** `leave` gives the task's place to the next one before the task is over. */
  handle: (task: Claimed<Data>, leave: () => void) => Promise<void>;
  isSettled: (task: Attempt) => boolean;
  onError: (error: Error) => void;
};

export type Lane = {
  name: string;
  /** Takes what waits while there is room. */
  fill(): void;
  /** Says that the running ones are alive. */
  touch(): Promise<void>;
  /** Takes no more; waits for what runs, `patienceMs` at most, and gives the rest back. */
  close(patienceMs: number): Promise<void>;
};

/** Works on one queue's tasks: a place that becomes free is filled at once for as long as something waits. */
export function openLane<Data>(boss: PgBoss, name: string, options: LaneOptions<Data>): Lane {
  const { width, behind = 0, onError } = options;
  const running = new Map<string, { task: Claimed<Data>; over: Promise<void> }>();
  const inPlace = new Set<Claimed<Data>>();
  let claiming: Promise<void> | undefined;
  /** The choice that found nothing: until something new waits, it will not. */
  let barren: string | undefined;
  let asks = 0;
  let asked = false;
  let closed = false;

  const room = () => (closed ? 0 : Math.min(width - inPlace.size, width + behind - running.size));

  async function claimAll(): Promise<void> {
    do {
      asked = false;
      const wanted = room();
      if (wanted <= 0) return;
      const choice = options.choose?.(wanted, [...inPlace]);
      const question = JSON.stringify([wanted, choice]);
      if (question === barren) continue;
      const asking = asks;
      const tasks = await options.claim(wanted, choice);
      for (const task of tasks) running.set(task.id, { task, over: work(task) });
      if (tasks.length > 0) asked = true;
      if (tasks.length === 0 && asking === asks) barren = question;
    } while (asked);
  }

  function fill(): void {
    barren = undefined;
    asks++;
    refill();
  }

  function refill(): void {
    asked = true;
    claiming ??= claimAll()
      .catch((error: Error) => {
        asked = false;
        onError(error);
      })
      .finally(() => {
        claiming = undefined;
        if (asked) refill();
      });
  }

  async function work(task: Claimed<Data>): Promise<void> {
    inPlace.add(task);
    const leave = () => {
      if (inPlace.delete(task)) refill();
    };
    const end = await inTime(task.expireInSeconds, options.handle(task, leave));
    if (end instanceof Error) await untilDone(() => boss.fail(name, task, end));
    else if (!options.isSettled(task)) await untilDone(() => boss.complete(name, task));
    running.delete(task.id);
    leave();
    refill();
  }

  /** A database that is away comes back; what is said too late is not heard, since another has the task by then. */
  async function untilDone(say: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; attempt < 60; attempt++) {
      try {
        await say();
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

async function inTime(seconds: number, work: Promise<void>): Promise<Error | undefined> {
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
