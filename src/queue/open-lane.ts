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

/** A task's place among those that are worked on at once. */
export type Place = {
  /** For good: the next task has it while this one goes on. */
  leave: () => void;
  /** It keeps its place, but where it went another may go. */
  moveOn: () => void;
  /** For a while in which it is not needed; the task's owner and where it goes are counted all the same. */
  stepAside: () => void;
  /** Waits for one again. */
  comeBack: () => Promise<void>;
};

/** A place as one owner uses it. */
export type Use = { place: string; owner: string };

/** Whom tasks are not taken for now, and how many of one owner at once. */
export type Choice = {
  fullPlaces: string[];
  busyOwners: string[];
  perOwner: number;
  /** Places that are full for one owner only. */
  closed: Use[];
  /** Who was let in at places that several owners share, longest ago first: there the next is the one who waited longest. */
  served: Use[];
};

export type LaneOptions<Data> = {
  /** How many are worked on at once. */
  width: number;
  /** How many more may have left their place and not be over yet, two thirds of them of one owner. */
  behind?: number;
  /** How many more may be aside, half of them of one owner; any number unless it is said. */
  mostAside?: number;
  /** Whom tasks are taken for, when `held` are those that have not left their places for good. */
  choose?: (room: number, held: Claimed<Data>[]) => Choice;
  /** Takes up to `room` tasks. */
  claim: (room: number, choice: Choice | undefined) => Promise<Claimed<Data>[]>;
  handle: (task: Claimed<Data>, place: Place) => Promise<void>;
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

const everybody: Choice = { fullPlaces: [], busyOwners: [], perOwner: Infinity, closed: [], served: [] };

/** Whether the one passes over all whom the other does. */
function isWithin(one: Choice = everybody, other: Choice): boolean {
  const isAll = (some: string[], all: string[]) => some.every((each) => all.includes(each));
  const isClosed = ({ place, owner }: Use) =>
    one.fullPlaces.includes(place) || one.closed.some((use) => use.place === place && use.owner === owner);
  return (
    isAll(other.fullPlaces, one.fullPlaces) &&
    isAll(other.busyOwners, one.busyOwners) &&
    other.closed.every(isClosed)
  );
}

/** Works on one queue's tasks: a place that becomes free is filled at once for as long as something waits. */
export function openLane<Data>(boss: PgBoss, name: string, options: LaneOptions<Data>): Lane {
  const { width, behind = 0, mostAside = Infinity, onError } = options;
  const running = new Map<string, { task: Claimed<Data>; over: Promise<void> }>();
  const inPlace = new Set<Claimed<Data>>();
  const aside = new Set<Claimed<Data>>();
  const movedOn = new WeakSet<Claimed<Data>>();
  /** Those aside that want a place again, and how each is let in. */
  const returning = new Map<Claimed<Data>, () => void>();
  let claiming: Promise<void> | undefined;
  /** The choice that found nothing: until something new waits, none that is narrower will. */
  let barren: Choice | undefined;
  let asks = 0;
  let asked = false;
  let closed = false;

  const room = () =>
    closed
      ? 0
      : Math.min(width - inPlace.size, width + behind - (running.size - aside.size), mostAside - aside.size);
  const choose = (wanted: number) => {
    const held = [...inPlace, ...aside];
    return options.choose?.(
      wanted,
      held.map((task) => (movedOn.has(task) ? { ...task, groupTier: null } : task)),
    );
  };

  /** The owners of so many of these tasks, or more. */
  function ownersOf(tasks: Iterable<Claimed<Data>>, many: number): string[] {
    const byOwner = Map.groupBy(tasks, ({ groupId }) => groupId ?? "");
    return [...byOwner].filter(([, own]) => own.length >= many).map(([owner]) => owner);
  }

  /** Whom nothing new is taken for, besides: those with most of what may be aside, or behind. */
  function exceptCrowds(choice: Choice | undefined): Choice | undefined {
    if (!choice) return undefined;
    const left = [...running.values()]
      .map(({ task }) => task)
      .filter((task) => !inPlace.has(task) && !aside.has(task));
    const crowds = [
      ...ownersOf(aside, mostAside / 2),
      ...(behind > 0 ? ownersOf(left, (behind * 2) / 3) : []),
    ];
    return { ...choice, busyOwners: [...choice.busyOwners, ...crowds] };
  }

  /** Before anything new is taken; by the same choice, so that nobody comes back to the last place of another. */
  function letIn(): void {
    for (const [task, enter] of returning) {
      const free = width - inPlace.size;
      if (free <= 0) return;
      aside.delete(task);
      if (choose(free)?.busyOwners.includes(task.groupId ?? "")) {
        aside.add(task);
        continue;
      }
      inPlace.add(task);
      returning.delete(task);
      enter();
    }
  }

  async function claimAll(): Promise<void> {
    do {
      asked = false;
      letIn();
      const wanted = room();
      if (wanted <= 0) return;
      const choice = exceptCrowds(choose(wanted));
      if (barren && isWithin(choice, barren)) continue;
      const asking = asks;
      const tasks = await options.claim(wanted, choice);
      for (const task of tasks) running.set(task.id, { task, over: work(task) });
      if (tasks.length > 0) asked = true;
      if (tasks.length === 0 && asking === asks) barren = choice ?? everybody;
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
    const place = placeOf(task);
    const end = await inTime(task.expireInSeconds, options.handle(task, place));
    if (end instanceof Error) await untilDone(() => boss.fail(name, task, end));
    else if (!options.isSettled(task)) await untilDone(() => boss.complete(name, task));
    running.delete(task.id);
    place.leave();
    refill();
  }

  function placeOf(task: Claimed<Data>): Place {
    return {
      leave() {
        returning.get(task)?.();
        returning.delete(task);
        if (aside.delete(task) || inPlace.delete(task)) refill();
      },
      moveOn() {
        movedOn.add(task);
        refill();
      },
      stepAside() {
        if (!inPlace.delete(task)) return;
        aside.add(task);
        refill();
      },
      async comeBack() {
        if (!aside.has(task)) return;
        await new Promise<void>((enter) => {
          returning.set(task, enter);
          refill();
        });
      },
    };
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
