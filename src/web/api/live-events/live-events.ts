import type { LiveEvent } from "#contract/job.ts";

/** "gap" means that events may have been missed, so everything must be read again. */
export type ServerEvent = LiveEvent | { kind: "gap" };

/** The first event of a connection; "reset" if the server no longer has the events missed in between. */
type Greeting = { kind: "ready" } | { kind: "reset" };

const listeners = new Set<(event: ServerEvent) => void>();
const retryMs = 10_000;
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Subscribes to the account's live events. All listeners share one connection. */
export function subscribeToEvents(listener: (event: ServerEvent) => void): () => void {
  listeners.add(listener);
  if (!source) connect();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
}

function connect(isReconnect = false): void {
  let wasOpen = isReconnect;
  source = new EventSource("/api/events");
  source.onopen = () => {
    if (wasOpen) notifyListeners({ kind: "gap" });
    wasOpen = true;
  };
  source.onmessage = ({ data }) => {
    const event = JSON.parse(data as string) as LiveEvent | Greeting;
    if (event.kind === "reset") notifyListeners({ kind: "gap" });
    else if (event.kind !== "ready") notifyListeners(event);
  };
  source.onerror = () => {
    // The browser reconnects by itself unless the server refused the connection.
    if (source?.readyState !== EventSource.CLOSED) return;
    notifyListeners({ kind: "gap" });
    timer = setTimeout(() => connect(true), retryMs);
  };
}

function notifyListeners(event: ServerEvent): void {
  for (const listener of listeners) listener(event);
}
