type Refused = { times: number; since: number; heldUntil: number; nextAt: number };

const windowMs = 60_000;
/** So many refusals a minute come at once; whoever goes on all the same waits for each. */
const atOnce = 20;
const waitMs = 1_000;
// Those of one caller that began together must not end together: all of them at once would hold up everybody else.
const apartMs = 5;
// However many of one address were refused, somebody else there who is refused next waits no longer than this.
const longestMs = 10_000;
// More connections than this are not held: then it costs less to answer.
const mostWaiting = 2_000;
const mostCallers = 10_000;

/** Slows down callers that go on after they were refused: no flood comes faster than its connections can wait. */
export function openPatience(now: () => number = Date.now) {
  const callers = new Map<string, Refused>();
  let waiting = 0;

  function find(caller: string): Refused {
    const known = callers.get(caller);
    if (known && now() - known.since < windowMs) return known;
    if (callers.size >= mostCallers) callers.clear();
    const fresh = { times: 0, since: now(), heldUntil: 0, nextAt: 0 };
    callers.set(caller, fresh);
    return fresh;
  }

  return {
    /** Milliseconds for which a caller is refused whatever it asks. */
    left: (caller: string) => Math.max(0, (callers.get(caller)?.heldUntil ?? 0) - now()),
    hold(caller: string, ms: number): void {
      find(caller).heldUntil = now() + ms;
    },
    /** Ends when a refusal may be answered, or when its caller has left. */
    async wait(caller: string, gone?: AbortSignal): Promise<void> {
      const refused = find(caller);
      if (++refused.times <= atOnce || waiting >= mostWaiting) return;
      const at = now();
      refused.nextAt = Math.min(Math.max(refused.nextAt + apartMs, at + waitMs), at + longestMs);
      if (gone?.aborted) return;
      waiting++;
      const over = Promise.withResolvers<void>();
      const timer = setTimeout(over.resolve, refused.nextAt - at);
      gone?.addEventListener("abort", () => over.resolve());
      await over.promise;
      clearTimeout(timer);
      waiting--;
    },
  };
}
