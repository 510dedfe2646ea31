import { AppError } from "#contract/errors.ts";

/** Lets each account have so many of a dear thing under way at once. */
export function openTurns(each: number, what: string) {
  const running = new Map<string, number>();
  /** Answers how to give the place back. */
  function take(accountId: string): () => void {
    const mine = running.get(accountId) ?? 0;
    if (mine >= each) {
      throw new AppError("RATE_LIMITED", `${each} ${what} are still under way.`, { retryAfterSeconds: 5 });
    }
    running.set(accountId, mine + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
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
