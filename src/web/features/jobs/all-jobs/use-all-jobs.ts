import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "#web/api/call.ts";
import { subscribeToEvents } from "#web/api/live-events/live-events.ts";

/** Events come in bursts while many jobs are checked; the list is loaded again at most this often. */
const reloadMs = 3_000;

/** All jobs of the account with their newest changes. */
export function useAllJobs(enabled = true) {
  const client = useQueryClient();
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = subscribeToEvents(({ kind }) => {
      if (!["finished", "updated", "listed", "gap"].includes(kind)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: ["all-jobs"] });
      }, reloadMs);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [client, enabled]);
  return useQuery({
    queryKey: ["all-jobs"],
    enabled,
    queryFn: async ({ signal }) => {
      const { jobs } = await call("GET /api/jobs", { query: { lastChange: "true" } }, { signal });
      return jobs.filter(({ deleteAt }) => deleteAt === null);
    },
  });
}
