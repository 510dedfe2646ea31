import pLimit, { type LimitFunction } from "p-limit";

/** Limits the calls of one caller that run at once. Its other calls wait; other callers aren't affected. */
export function openConcurrencyLimit(perCaller: number) {
  const limits = new Map<string, LimitFunction>();
  return {
    /** `leave` may be called before the call has its slot. */
    enter(caller: string): { entered: Promise<void>; leave: () => void } {
      const limit = limits.get(caller) ?? pLimit(perCaller);
      limits.set(caller, limit);
      const slot = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const work = limit(() => {
        slot.resolve();
        return left.promise;
      });
      void work.then(() => {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(caller);
      });
      return { entered: slot.promise, leave: left.resolve };
    },
    get callers() {
      return limits.size;
    },
  };
}
