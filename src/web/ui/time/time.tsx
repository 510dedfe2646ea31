import { useSyncExternalStore } from "react";
import { exactTime, relativeTime } from "./relative-time.ts";

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

// One timer updates every time on the screen.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, 20_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A relative time, with the exact one on hover. */
export function Time({ at, className }: { at: string; className?: string }) {
  const current = useSyncExternalStore(subscribe, () => now);
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(time)} className={className}>
      {relativeTime(time, current)}
    </time>
  );
}
