import { IncidentQuery, Incidents } from "./incident.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: changes that have one cause. */
export const incidentRoutes = {
  incidents: {
    method: "GET",
    path: "/api/incidents",
    access: "account",
    summary: "List incidents: changes of several pages that have one cause, such as a deployment",
    query: IncidentQuery,
    reply: Incidents,
  },
} as const satisfies Record<string, Route>;
