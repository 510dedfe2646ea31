import type { Choice, Claimed } from "./claim.ts";

/** A task's slot among the tasks that run at once. */
export type WorkerSlot = {
  /** Frees the slot for good: the next task gets it while this one continues. */
  release: () => void;
  /** Frees the host slot, keeps the worker slot. */
  releaseHost: () => void;
  /** Frees the slot while it is not needed; the task still counts for its owner and its host. */
  suspend: () => void;
  /** Waits for a slot again. */
  resume: () => Promise<void>;
};

export type SlotOptions<Data> = {
  /** How many tasks hold a slot at once. */
  width: number;
  /** How many more may have released their slot and still run, at most two thirds of them of one owner. */
  behind?: number;
  /** How many more may be suspended, at most half of them of one owner; unlimited by default. */
  maxSuspended?: number;
  /** Chooses what to claim; `held` are the tasks that have not released their slot. */
  choose?: (room: number, held: Claimed<Data>[]) => Choice;
};

type Slots<Data> = {
  /** How many more tasks may begin. */
  room(): number;
  /** Chooses what to claim for this much room. */
  choose(room: number): Choice | undefined;
  /** Lets suspended tasks that wait for a slot continue in the free ones. */
  resumeTasks(): void;
  /** Gives a task its slot. */
  enter(task: Claimed<Data>): WorkerSlot;
};

/** Keeps the slots of a worker's running tasks; `onFree` is called when one may have become free. */
export function createSlots<Data>(
  { width, behind = 0, maxSuspended = Infinity, choose }: SlotOptions<Data>,
  running: ReadonlyMap<string, { task: Claimed<Data> }>,
  onFree: () => void,
): Slots<Data> {
  const inSlot = new Set<Claimed<Data>>();
  const suspendedTasks = new Set<Claimed<Data>>();
  const hostReleased = new WeakSet<Claimed<Data>>();
  /** Suspended tasks that wait for a slot again, and the function that lets each continue. */
  const resuming = new Map<Claimed<Data>, () => void>();

  function chooseByHeld(room: number): Choice | undefined {
    const held = [...inSlot, ...suspendedTasks];
    return choose?.(
      room,
      held.map((task) => (hostReleased.has(task) ? { ...task, groupTier: null } : task)),
    );
  }

  /** The owners that have most of the tasks that may be suspended or that may run without a slot. */
  function crowdingOwners(): string[] {
    const released = [...running.values()]
      .map(({ task }) => task)
      .filter((task) => !inSlot.has(task) && !suspendedTasks.has(task));
    return [
      ...ownersOf(suspendedTasks, maxSuspended / 2),
      ...(behind > 0 ? ownersOf(released, (behind * 2) / 3) : []),
    ];
  }

  return {
    room: () =>
      Math.min(
        width - inSlot.size,
        width + behind - (running.size - suspendedTasks.size),
        maxSuspended - suspendedTasks.size,
      ),
    choose(room) {
      const choice = chooseByHeld(room);
      return choice && { ...choice, busyOwners: [...choice.busyOwners, ...crowdingOwners()] };
    },
    // Runs before new tasks are claimed, by the same choice, so that no task resumes in another owner's last slot.
    resumeTasks() {
      for (const [task, resume] of resuming) {
        const free = width - inSlot.size;
        if (free <= 0) return;
        suspendedTasks.delete(task);
        if (chooseByHeld(free)?.busyOwners.includes(task.groupId ?? "")) {
          suspendedTasks.add(task);
          continue;
        }
        inSlot.add(task);
        resuming.delete(task);
        resume();
      }
    },
    enter(task) {
      inSlot.add(task);
      return {
        release() {
          resuming.get(task)?.();
          resuming.delete(task);
          if (suspendedTasks.delete(task) || inSlot.delete(task)) onFree();
        },
        releaseHost() {
          hostReleased.add(task);
          onFree();
        },
        suspend() {
          if (!inSlot.delete(task)) return;
          suspendedTasks.add(task);
          onFree();
        },
        async resume() {
          if (!suspendedTasks.has(task)) return;
          await new Promise<void>((resume) => {
            resuming.set(task, resume);
            onFree();
          });
        },
      };
    },
  };
}

/** The owners of at least `minimum` of these tasks. */
function ownersOf(tasks: Iterable<Claimed<unknown>>, minimum: number): string[] {
  const byOwner = Map.groupBy(tasks, ({ groupId }) => groupId ?? "");
  return [...byOwner].filter(([, own]) => own.length >= minimum).map(([owner]) => owner);
}
