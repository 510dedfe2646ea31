import { ChangePage, ChangeQuery, JobFilter, JobLines } from "./change.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: the list of all jobs, and changes across all jobs. */
export const changeRoutes = {
  listJobs: {
    method: "GET",
    path: "/api/jobs",
    access: "account",
    summary: "List all jobs with their status and counts",
    query: JobFilter,
    reply: JobLines,
  },
  changes: {
    method: "GET",
    path: "/api/changes",
    access: "account",
    summary: "List or search the changes of all jobs, newest first",
    query: ChangeQuery,
    reply: ChangePage,
  },
} as const satisfies Record<string, Route>;
