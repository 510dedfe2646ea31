import { Outcome } from "./account.ts";
import type { Route } from "./route.ts";
import { NewSavedView, SavedViewParams, SavedViews } from "./saved-view.ts";

/** Rows of the route table: saved views of the list of all jobs. */
export const savedViewRoutes = {
  savedViews: {
    method: "GET",
    path: "/api/me/views",
    access: "account",
    summary: "List the saved views of the list of all jobs",
    reply: SavedViews,
  },
  putSavedView: {
    method: "PUT",
    path: "/api/me/views",
    access: "account",
    scope: "write",
    summary: "Save a view of the list of all jobs",
    body: NewSavedView,
    reply: Outcome,
  },
  deleteSavedView: {
    method: "DELETE",
    path: "/api/me/views/:viewId",
    access: "account",
    scope: "write",
    summary: "Delete a saved view",
    params: SavedViewParams,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
