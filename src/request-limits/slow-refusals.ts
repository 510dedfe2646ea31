type Refused = { times: number; since: number; heldUntil: number; nextAt: number };

const windowMs = 60_000;
/** Refusals per minute that are answered immediately; after that the caller waits for each. */
const immediateRefusals = 20;
const waitMs = 1_000;
// Refusals of one caller that began together must not end together: sending all at once would delay other callers.
const spacingMs = 5;
// The longest wait, however many calls were refused: the address may be shared, and the next call somebody else's.
const maxWaitMs = 10_000;
// At most this many connections are held; beyond that it costs less to answer.
const maxWaiting = 2_000;
const maxCallers = 10_000;

/** Delays callers that go on after a refusal, so that a flood is no faster than its waiting connections allow. */
export function openSlowRefusals(now: () => number = Date.now) {
  const callers = new Map<string, Refused>();
  let waiting = 0;

  function find(caller: string): Refused {
    const known = callers.get(caller);
    if (known && now() - known.since < windowMs) return known;
    if (callers.size >= maxCallers) callers.clear();
    const fresh = { times: 0, since: now(), heldUntil: 0, nextAt: 0 };
    callers.set(caller, fresh);
    return fresh;
  }

  return {
    /** Milliseconds for which every call of a caller is still refused. */
    left: (caller: string) => Math.max(0, (callers.get(caller)?.heldUntil ?? 0) - now()),
    hold(caller: string, ms: number): void {
      find(caller).heldUntil = now() + ms;
    },
    /** Waits until a refusal may be sent, or until its caller has disconnected. */
    async wait(caller: string, disconnected?: AbortSignal): Promise<void> {
      const refused = find(caller);
      if (++refused.times <= immediateRefusals || waiting >= maxWaiting) return;
      const at = now();
      refused.nextAt = Math.min(Math.max(refused.nextAt + spacingMs, at + waitMs), at + maxWaitMs);
      if (disconnected?.aborted) return;
      waiting++;
      const over = Promise.withResolvers<void>();
      const timer = setTimeout(over.resolve, refused.nextAt - at);
      disconnected?.addEventListener("abort", () => over.resolve());
      await over.promise;
      clearTimeout(timer);
      waiting--;
    },
  };
}
