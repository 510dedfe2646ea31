import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LiveEvent } from "#contract/job.ts";
import { followEvents } from "./live-events.ts";

type Kind = LiveEvent["kind"];

// What each event makes stale, by the first part of the query keys. The jobs view follows its own.
const stale: Record<Kind, string[]> = {
  queued: [],
  started: [],
  updated: ["analytics"],
  listed: ["analytics"],
  progress: [],
  finished: ["analytics"],
  notification: ["notifications"],
  report: ["reports"],
};

const pause = 1000;

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

/** Keeps the numbers and the notifications live while it is mounted. */
export function useLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresher = createRefresher((key) => void client.invalidateQueries({ queryKey: [key] }));
    const leave = followEvents(({ kind }) => {
      // After a gap everything is read anew, the user too: a refused line may mean that the session is over.
      if (kind === "gap") void client.invalidateQueries();
      else refresher.notice(kind);
    });
    return () => {
      leave();
      refresher.stop();
    };
  }, [client]);
}
