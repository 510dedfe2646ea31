import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Stage } from "#contract/job.ts";
import { call } from "#web/api/call.ts";
import { type ServerEvent, subscribeToEvents } from "#web/api/live-events/live-events.ts";
import { keys, updateCachedJob } from "../queries.ts";

/** What a job is doing right now, as far as live events have reported it. */
export type Activity = "queued" | "started" | Stage | null;

/** Keeps the jobs on the screen up to date while it is mounted. */
export function useLiveJobs(): void {
  const client = useQueryClient();
  useEffect(() => subscribeToEvents((event) => applyEvent(client, event)), [client]);
}

export function useActivity(jobId: string): Activity | undefined {
  return useQuery<Activity>({
    queryKey: keys.activity(jobId),
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
}

function applyEvent(client: QueryClient, event: ServerEvent): void {
  if (event.kind === "gap") void client.invalidateQueries();
  else if (event.kind === "listed") {
    for (const queryKey of [keys.groups, ["group"], ["job"], keys.pastActions])
      void client.invalidateQueries({ queryKey });
  } else if (event.kind === "queued" || event.kind === "started") {
    client.setQueryData<Activity>(keys.activity(event.jobId), event.kind);
  } else if (event.kind === "updated") {
    void refreshJob(client, event.jobId);
    void client.invalidateQueries({ queryKey: keys.logs(event.jobId) });
  } else if (event.kind === "progress") {
    client.setQueryData<Activity>(keys.activity(event.jobId), event.stage);
  } else if (event.kind === "finished") {
    client.setQueryData<Activity>(keys.activity(event.jobId), null);
    void refreshJob(client, event.jobId);
    void client.invalidateQueries({ queryKey: keys.logs(event.jobId) });
    void client.invalidateQueries({ queryKey: keys.timeline(event.jobId) });
    // An open viewer has a new execution to step to.
    void client.invalidateQueries({ queryKey: keys.opened(event.jobId) });
    void client.invalidateQueries({ queryKey: keys.ends(event.jobId) });
  }
}

/** Reloads one job and updates it wherever it is shown. */
export async function refreshJob(client: QueryClient, jobId: string): Promise<void> {
  try {
    updateCachedJob(client, await call("GET /api/jobs/:jobId", { params: { jobId } }));
  } catch {
    // The job was deleted or is unreachable; reloading its group shows which.
    await client.invalidateQueries({ queryKey: ["group"] });
  }
}
