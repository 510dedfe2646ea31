import type { Route } from "./route.ts";
import { TriggerRunLines } from "./trigger-run.ts";

/** Rows of the route table: trigger runs of all jobs. */
export const triggerRoutes = {
  listTriggerRuns: {
    method: "GET",
    path: "/api/triggers/runs",
    access: "account",
    summary: "List the last 100 runs of HTTP triggers, newest first; runTriggerAgain repeats one",
    reply: TriggerRunLines,
  },
} as const satisfies Record<string, Route>;
