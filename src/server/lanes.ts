import pLimit, { type LimitFunction } from "p-limit";

/** So many calls of one caller are worked on at once: its others wait, and nobody else waits for them. */
export function openLanes(width: number) {
  const lanes = new Map<string, LimitFunction>();
  return {
    /** `leave` may come before its turn does. */
    enter(caller: string): { entered: Promise<void>; leave: () => void } {
      const lane = lanes.get(caller) ?? pLimit(width);
      lanes.set(caller, lane);
      const turn = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      const work = lane(() => {
        turn.resolve();
        return over.promise;
      });
      void work.then(() => {
        if (lane.activeCount + lane.pendingCount === 0) lanes.delete(caller);
      });
      return { entered: turn.promise, leave: over.resolve };
    },
    get callers() {
      return lanes.size;
    },
  };
}
