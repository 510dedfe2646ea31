import type { LiveEvent } from "#contract/job.ts";

/** "gap" means that something may have been missed: read everything anew. */
export type Told = LiveEvent | { kind: "gap" };

/** The first event of a connection; "reset" when what came between is no longer kept. */
type Greeting = { kind: "ready" } | { kind: "reset" };

const listeners = new Set<(event: Told) => void>();
const retryMs = 10_000;
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Hears what the server tells of this account; one connection, however many listen. */
export function followEvents(listener: (event: Told) => void): () => void {
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

function connect(isAgain = false): void {
  let wasOpen = isAgain;
  source = new EventSource("/api/events");
  source.onopen = () => {
    if (wasOpen) tell({ kind: "gap" });
    wasOpen = true;
  };
  source.onmessage = ({ data }) => {
    const event = JSON.parse(data as string) as LiveEvent | Greeting;
    if (event.kind === "reset") tell({ kind: "gap" });
    else if (event.kind !== "ready") tell(event);
  };
  source.onerror = () => {
    // The browser reconnects by itself unless it was refused.
    if (source?.readyState !== EventSource.CLOSED) return;
    tell({ kind: "gap" });
    timer = setTimeout(() => connect(true), retryMs);
  };
}

function tell(event: Told): void {
  for (const listener of listeners) listener(event);
}
