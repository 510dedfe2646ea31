import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LiveEvent } from "#contract/job.ts";
import { subscribeToEvents } from "./live-events.ts";

type Kind = LiveEvent["kind"];

// Which queries each event makes stale, by the first part of their keys. The jobs view refreshes its own queries.
const staleKeys: Record<Kind, string[]> = {
  queued: [],
  started: [],
  updated: ["analytics"],
  listed: ["analytics"],
  progress: [],
  finished: ["analytics", "site"],
  notification: ["notifications"],
  report: ["reports"],
  site: ["site"],
};

const refreshIntervalMs = 1000;

/** Collects stale query keys and refreshes them at most once a second, however many events arrive. */
export function createRefresher(refresh: (key: string) => void) {
  const pendingKeys = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function flush() {
    const keys = [...pendingKeys];
    pendingKeys.clear();
    timer = keys.length > 0 ? setTimeout(flush, refreshIntervalMs) : undefined;
    for (const key of keys) refresh(key);
  }
  return {
    notice: (kind: Kind) => {
      for (const key of staleKeys[kind]) pendingKeys.add(key);
      if (timer === undefined && pendingKeys.size > 0) flush();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Keeps statistics, notifications and reports up to date while it is mounted. */
export function useLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresher = createRefresher((key) => void client.invalidateQueries({ queryKey: [key] }));
    const unsubscribe = subscribeToEvents(({ kind }) => {
      // After a gap everything is read again, even the user: a refused connection may mean that the session ended.
      if (kind === "gap") void client.invalidateQueries();
      else refresher.notice(kind);
    });
    return () => {
      unsubscribe();
      refresher.stop();
    };
  }, [client]);
}
