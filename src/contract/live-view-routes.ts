import { z } from "zod";
import { LiveViewParams, NewLiveView } from "./live-view.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: a browser of ours that a user sees and operates. */
export const liveViewRoutes = {
  createLiveView: {
    method: "POST",
    path: "/api/live-views",
    access: "account",
    scope: "session",
    summary: "Ask for a live view of a page, to record steps or sign in by hand; its ticket opens it once",
    body: NewLiveView,
    reply: z.object({
      liveViewId: z.uuid(),
      ticket: z.string().describe("Valid once, for 30 seconds"),
    }),
  },
  openLiveView: {
    method: "GET",
    path: "/api/live-views/:liveViewId/socket",
    access: "account",
    scope: "session",
    summary:
      "Open a live view: a WebSocket that shows the page and takes what a user does, for our own pages only",
    params: LiveViewParams,
    reply: "application/octet-stream",
  },
} as const satisfies Record<string, Route>;
