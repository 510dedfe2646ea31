// More owners, and kinds of their tasks, than ever wait at once.
const maxRemembered = 1_000;

// Longer tasks leave no processor to others if they get all slots.
const longMs = 250;

// After a task that was stopped because it took too much, its owner's next one of that kind waits for this many times
// as long as it took. So work that leads to nothing gets at most a quarter of a processor from each account.
const rest = { factor: 3, maxMs: 5_000 };

// A kind of task counts as long for some tasks after its last long one, so that mixing in short ones hides nothing.
const forgotten = 0.8;

export type Task = {
  /** Tasks of the same owner and kind are expected to take about as long as each other. */
  kind: string;
  isLarge: boolean;
};
type Waiting = { task: Task; start: (isHeavy: boolean) => void };
/** Reports the processor time that a task took, in milliseconds, and whether it was stopped for taking too much. */
export type ReportTime = (ms: number, wasStopped?: boolean) => void;

export type FairQueueLimits = {
  /** How many tasks may run at once, of all owners together. */
  slots: number;
  /** How many more may run for owners that have nothing running. */
  reserved: number;
  /** How many of the running tasks may be heavy: large ones, and those of a kind that lately took its owner long. */
  heavy: number;
};

/**
 * Lets owners take turns: the next task belongs to the owner with the fewest running tasks; among several, to the one
 * that was served longest ago. However many tasks one owner has waiting, other owners do not wait behind them, and however
 * long they take, they leave slots and a processor to others.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #waiting = new Map<string, Waiting[]>();
  /** The sequence number of each owner's last start, oldest first. */
  readonly #served = new Map<string, number>();
  #sequence = 0;
  readonly #running = new Map<string, number>();
  /** How long a task of this owner and kind is expected to take, in milliseconds of processor time. */
  readonly #expected = new Map<string, number>();
  /** Until when tasks of this owner and kind wait, because one was stopped. */
  readonly #restsUntil = new Map<string, number>();
  #wakeUp: NodeJS.Timeout | undefined;
  #busy = 0;
  #heavy = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get busy(): number {
    return this.#busy;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, ownTasks) => sum + ownTasks.length, 0);
  }

  /** Runs `work` when it's this owner's turn. `work` reports the time that it took. */
  async run<T>(owner: string, task: Task, work: (report: ReportTime) => Promise<T>): Promise<T> {
    const isHeavy = await new Promise<boolean>((start) => {
      const ownTasks = this.#waiting.get(owner);
      if (ownTasks) ownTasks.push({ task, start });
      else this.#waiting.set(owner, [{ task, start }]);
      this.#fill();
    });
    try {
      return await work((ms, wasStopped = false) => {
        this.#noteTime(owner, task, ms);
        const restMs = Math.min(rest.factor * ms, rest.maxMs);
        if (wasStopped) remember(this.#restsUntil, keyOf(owner, task), performance.now() + restMs);
      });
    } finally {
      this.#busy--;
      if (isHeavy) this.#heavy--;
      const left = (this.#running.get(owner) ?? 1) - 1;
      if (left > 0) this.#running.set(owner, left);
      else this.#running.delete(owner);
      this.#fill();
    }
  }

  /** Starts what waits only because of a stopped task, so that it isn't waited for when everything ends. */
  endRests(): void {
    this.#restsUntil.clear();
    this.#fill();
  }

  #fill(): void {
    // One moment for all of this: a rest that ended between two looks at the clock would end unnoticed.
    const now = performance.now();
    for (let next = this.#next(now); next; next = this.#next(now)) {
      const { owner, ownTasks, at } = next;
      const [{ task, start }] = ownTasks.splice(at, 1) as [Waiting];
      if (ownTasks.length === 0) this.#waiting.delete(owner);
      const isHeavy = this.#isHeavy(owner, task);
      remember(this.#served, owner, ++this.#sequence);
      this.#busy++;
      if (isHeavy) this.#heavy++;
      this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
      start(isHeavy);
    }
    this.#wakeUpAfterRest(now);
  }

  /** Looks again when the first owner with waiting tasks has rested. */
  #wakeUpAfterRest(now: number): void {
    clearTimeout(this.#wakeUp);
    let next = Infinity;
    for (const [owner, ownTasks] of this.#waiting)
      for (const { task } of ownTasks) {
        const until = this.#restsUntil.get(keyOf(owner, task)) ?? 0;
        if (until > now) next = Math.min(next, until);
      }
    if (next < Infinity) this.#wakeUp = setTimeout(() => this.#fill(), Math.ceil(next - now));
  }

  #next(now: number): { owner: string; ownTasks: Waiting[]; at: number } | undefined {
    const { slots, reserved, heavy } = this.#limits;
    let best: { owner: string; ownTasks: Waiting[]; at: number } | undefined;
    let [least, longestAgo] = [Infinity, Infinity];
    for (const [owner, ownTasks] of this.#waiting) {
      const running = this.#running.get(owner) ?? 0;
      const servedAt = this.#served.get(owner) ?? 0;
      if (running > least || (running === least && servedAt >= longestAgo)) continue;
      if (this.#busy >= (running === 0 ? slots + reserved : slots)) continue;
      const at = ownTasks.findIndex(
        ({ task }) =>
          (this.#heavy < heavy || !this.#isHeavy(owner, task)) &&
          (this.#restsUntil.get(keyOf(owner, task)) ?? 0) <= now,
      );
      if (at < 0) continue;
      best = { owner, ownTasks, at };
      [least, longestAgo] = [running, servedAt];
    }
    return best;
  }

  #isHeavy(owner: string, task: Task): boolean {
    return task.isLarge || (this.#expected.get(keyOf(owner, task)) ?? 0) > longMs;
  }

  #noteTime(owner: string, task: Task, ms: number): void {
    const key = keyOf(owner, task);
    remember(this.#expected, key, Math.max(ms, forgotten * (this.#expected.get(key) ?? 0)));
  }
}

const keyOf = (owner: string, { kind }: Task) => `${owner} ${kind}`;

function remember(known: Map<string, number>, key: string, value: number): void {
  known.delete(key);
  known.set(key, value);
  const [oldest = ""] = known.keys();
  if (known.size > maxRemembered) known.delete(oldest);
}
