import { AppError } from "#contract/errors.ts";

/** Limits concurrent expensive operations per account. */
export function openAccountConcurrency(limit: number, what: string) {
  const running = new Map<string, number>();
  /** Takes a slot and returns the function that releases it. */
  function take(accountId: string): () => void {
    const taken = running.get(accountId) ?? 0;
    if (taken >= limit) {
      throw new AppError("RATE_LIMITED", `${limit} ${what} are still under way.`, { retryAfterSeconds: 5 });
    }
    running.set(accountId, taken + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = (running.get(accountId) ?? 1) - 1;
      if (left > 0) running.set(accountId, left);
      else running.delete(accountId);
    };
  }
  return {
    take,
    async inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
      const release = take(accountId);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
