import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LiveEvent } from "#contract/job.ts";
import { meKey } from "./me.ts";

type Kind = LiveEvent["kind"];
type Told = LiveEvent | { kind: "ready" | "reset" };

// What each event makes stale, by the first part of the query keys.
const stale: Record<Kind, string[]> = {
  queued: ["jobs"],
  started: ["jobs"],
  progress: [],
  finished: ["jobs", "analytics"],
  notification: ["notifications"],
};

const pause = 1000;
const retry = 10_000;

/** Collects what became stale and refreshes it at most once a second, however many events arrive. */
export function createRefresher(refresh: (key: string) => void) {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function flush() {
    const keys = [...waiting];
    waiting.clear();
    timer = keys.length > 0 ? setTimeout(flush, pause) : undefined;
    for (const key of keys) refresh(key);
  }
  return {
    notice: (kind: Kind) => {
      for (const key of stale[kind]) waiting.add(key);
      if (timer === undefined && waiting.size > 0) flush();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Keeps everything on the screen live while it is mounted. */
export function useLive(): void {
  const client = useQueryClient();
  useEffect(() => follow(client), [client]);
}

function follow(client: QueryClient): () => void {
  const refresher = createRefresher((key) => void client.invalidateQueries({ queryKey: [key] }));
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;

  function hear({ kind }: Told) {
    if (kind !== "ready" && kind !== "reset") return refresher.notice(kind);
    // A new line or a gap: whatever happened meanwhile was not told.
    if (!isFirst) void client.invalidateQueries();
    isFirst = false;
  }

  function connect() {
    source = new EventSource("/api/events");
    source.onmessage = (message: MessageEvent<string>) => hear(JSON.parse(message.data) as Told);
    source.onerror = () => {
      // The browser reconnects by itself unless it was refused: then the session may be over, which `me` finds out.
      if (source?.readyState !== EventSource.CLOSED) return;
      void client.invalidateQueries({ queryKey: meKey });
      timer = setTimeout(connect, retry);
    };
  }

  connect();
  return () => {
    clearTimeout(timer);
    refresher.stop();
    source?.close();
  };
}
