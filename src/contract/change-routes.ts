import { ChangePage, ChangeQuery, JobFilter, JobLines } from "./change.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: all jobs at a glance, and changes over all of them. */
export const changeRoutes = {
  listJobs: {
    method: "GET",
    path: "/api/jobs",
    access: "account",
    summary: "All jobs, one line each",
    query: JobFilter,
    reply: JobLines,
  },
  changes: {
    method: "GET",
    path: "/api/changes",
    access: "account",
    summary: "Changes of all jobs, newest first; searched by words",
    query: ChangeQuery,
    reply: ChangePage,
  },
} as const satisfies Record<string, Route>;
