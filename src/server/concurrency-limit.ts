import pLimit, { type LimitFunction } from "p-limit";

/** Works on so many calls of one caller at once: its others wait, and nobody else waits for them. */
export function openConcurrencyLimit(perCaller: number) {
  const limits = new Map<string, LimitFunction>();
  return {
    /** `leave` may come before the call has its slot. */
    enter(caller: string): { entered: Promise<void>; leave: () => void } {
      const limit = limits.get(caller) ?? pLimit(perCaller);
      limits.set(caller, limit);
      const slot = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      const work = limit(() => {
        slot.resolve();
        return over.promise;
      });
      void work.then(() => {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(caller);
      });
      return { entered: slot.promise, leave: over.resolve };
    },
    get callers() {
      return limits.size;
    },
  };
}
