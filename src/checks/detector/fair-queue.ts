// More than have something waiting at once.
const mostRemembered = 1_000;

type Waiting = { isLarge: boolean; start: () => void };

export type FairQueueLimits = {
  /** How many may run at once, whoever they belong to. */
  slots: number;
  /** How many more may run of owners that have nothing running. */
  reserved: number;
  /** How many of all that run may be large. */
  large: number;
};

/**
 * Lets owners take turns: the next to run belongs to the owner with the least running, and of several to the one that
 * was served longest ago. However much one owner has waiting, nobody else waits behind it.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #waiting = new Map<string, Waiting[]>();
  /** When owners were served last, counted; the longest ago first. */
  readonly #served = new Map<string, number>();
  #count = 0;
  readonly #running = new Map<string, number>();
  #busy = 0;
  #large = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get busy(): number {
    return this.#busy;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, own) => sum + own.length, 0);
  }

  async run<T>(owner: string, isLarge: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      const own = this.#waiting.get(owner);
      if (own) own.push({ isLarge, start });
      else this.#waiting.set(owner, [{ isLarge, start }]);
      this.#fill();
    });
    try {
      return await work();
    } finally {
      this.#busy--;
      if (isLarge) this.#large--;
      const left = (this.#running.get(owner) ?? 1) - 1;
      if (left > 0) this.#running.set(owner, left);
      else this.#running.delete(owner);
      this.#fill();
    }
  }

  #fill(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { owner, own, at } = next;
      const [{ isLarge, start }] = own.splice(at, 1) as [Waiting];
      if (own.length === 0) this.#waiting.delete(owner);
      this.#noteServed(owner);
      this.#busy++;
      if (isLarge) this.#large++;
      this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
      start();
    }
  }

  #next(): { owner: string; own: Waiting[]; at: number } | undefined {
    const { slots, reserved, large } = this.#limits;
    let best: { owner: string; own: Waiting[]; at: number } | undefined;
    let [least, longestAgo] = [Infinity, Infinity];
    for (const [owner, own] of this.#waiting) {
      const running = this.#running.get(owner) ?? 0;
      const servedAt = this.#served.get(owner) ?? 0;
      if (running > least || (running === least && servedAt >= longestAgo)) continue;
      if (this.#busy >= (running === 0 ? slots + reserved : slots)) continue;
      const at = own.findIndex(({ isLarge }) => !isLarge || this.#large < large);
      if (at < 0) continue;
      best = { owner, own, at };
      [least, longestAgo] = [running, servedAt];
    }
    return best;
  }

  #noteServed(owner: string): void {
    this.#served.delete(owner);
    this.#served.set(owner, ++this.#count);
    const [oldest = ""] = this.#served.keys();
    if (this.#served.size > mostRemembered) this.#served.delete(oldest);
  }
}
