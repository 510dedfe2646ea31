const windowMs = 60_000;
const maxCallers = 50_000;

type CallCount = { remaining: number; resetSeconds: number; isExceeded: boolean };

/** Counts each caller's calls per minute, exactly, including simultaneous ones. */
export function openCallCounter(max: number, now: () => number = Date.now) {
  const windows = new Map<string, { used: number; endsAt: number }>();

  function windowOf(caller: string) {
    const known = windows.get(caller);
    if (known && known.endsAt > now()) return known;
    // Deleted and set again, so that the map's first entry is the oldest window.
    windows.delete(caller);
    const [oldest] = windows.size >= maxCallers ? windows.keys() : [];
    if (oldest !== undefined) windows.delete(oldest);
    const fresh = { used: 0, endsAt: now() + windowMs };
    windows.set(caller, fresh);
    return fresh;
  }

  return {
    max,
    count(caller: string): CallCount {
      const window = windowOf(caller);
      window.used++;
      return {
        remaining: Math.max(0, max - window.used),
        resetSeconds: Math.ceil((window.endsAt - now()) / 1000),
        isExceeded: window.used > max,
      };
    },
  };
}
