const windowMs = 60_000;
const mostCallers = 50_000;

type Counted = { remaining: number; resetSeconds: number; isExceeded: boolean };

/** Counts the calls of each caller a minute, exactly, also those that come at the same moment. */
export function openCallCounter(max: number, now: () => number = Date.now) {
  const windows = new Map<string, { used: number; endsAt: number }>();

  function windowOf(caller: string) {
    const known = windows.get(caller);
    if (known && known.endsAt > now()) return known;
    // Set anew, so that the first of the map is the one that began first.
    windows.delete(caller);
    const [oldest] = windows.size >= mostCallers ? windows.keys() : [];
    if (oldest !== undefined) windows.delete(oldest);
    const fresh = { used: 0, endsAt: now() + windowMs };
    windows.set(caller, fresh);
    return fresh;
  }

  return {
    max,
    count(caller: string): Counted {
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
