import { Outcome } from "./account.ts";
import { IncidentMerge, IncidentParams, IncidentQuery, IncidentSplit, Incidents } from "./incident.ts";
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
  splitIncident: {
    method: "POST",
    path: "/api/incidents/:incidentId/split",
    access: "account",
    scope: "write",
    summary: "Move changes of an incident to one of their own, because they have another cause",
    params: IncidentParams,
    body: IncidentSplit,
    reply: Outcome,
  },
  mergeIncidents: {
    method: "POST",
    path: "/api/incidents/:incidentId/merge",
    access: "account",
    scope: "write",
    summary: "Move the changes of other incidents to this one, because they have the same cause",
    params: IncidentParams,
    body: IncidentMerge,
    reply: Outcome,
  },
  markIncidentAsNoise: {
    method: "POST",
    path: "/api/incidents/:incidentId/noise",
    access: "account",
    scope: "write",
    summary: "Mark every change of an incident as noise: such changes don’t alert any more",
    params: IncidentParams,
    reply: Outcome,
  },
  undoIncidentNoise: {
    method: "DELETE",
    path: "/api/incidents/:incidentId/noise",
    access: "account",
    scope: "write",
    summary: "Undo that an incident was marked as noise",
    params: IncidentParams,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
