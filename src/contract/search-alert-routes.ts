import { Outcome } from "./account.ts";
import type { Route } from "./route.ts";
import {
  NewSearchAlert,
  SearchAlertParams,
  SearchAlerts,
  SearchAlertTrial,
  SearchAlertTrialResult,
} from "./search-alert.ts";

/** Rows of the route table: alerts about what first appears on any page. */
export const searchAlertRoutes = {
  searchAlerts: {
    method: "GET",
    path: "/api/search-alerts",
    access: "account",
    summary: "List the search alerts: what the account is alerted about when it first appears on a page",
    reply: SearchAlerts,
  },
  createSearchAlert: {
    method: "POST",
    path: "/api/search-alerts",
    access: "account",
    scope: "write",
    summary: "Create a search alert",
    body: NewSearchAlert,
    reply: Outcome,
  },
  trySearchAlert: {
    method: "POST",
    path: "/api/search-alerts/try",
    access: "account",
    demo: true,
    summary: "Show what a search alert would have found in the past",
    body: SearchAlertTrial,
    reply: SearchAlertTrialResult,
  },
  updateSearchAlert: {
    method: "PUT",
    path: "/api/search-alerts/:alertId",
    access: "account",
    scope: "write",
    summary: "Change a search alert",
    params: SearchAlertParams,
    body: NewSearchAlert,
    reply: Outcome,
  },
  deleteSearchAlert: {
    method: "DELETE",
    path: "/api/search-alerts/:alertId",
    access: "account",
    scope: "write",
    summary: "Delete a search alert",
    params: SearchAlertParams,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
