import type { Route } from "./route.ts";
import { TriggerRunLines } from "./trigger-run.ts";

/** Rows of the route table: what became of triggers, over all jobs. */
export const triggerRoutes = {
  listTriggerRuns: {
    method: "GET",
    path: "/api/triggers/runs",
    access: "account",
    summary: "The last hundred runs of HTTP triggers; runTriggerAgain replays one",
    reply: TriggerRunLines,
  },
} as const satisfies Record<string, Route>;
