import { Outcome } from "./account.ts";
import { ExitParams, ExitReply, Exits, NewExit } from "./exit.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: exits, the proxies through which pages are captured. */
export const exitRoutes = {
  listExits: {
    method: "GET",
    path: "/api/exits",
    access: "account",
    summary: "List the exits that the account's jobs may use, with their health",
    reply: Exits,
  },
  createExit: {
    method: "POST",
    path: "/api/exits",
    access: "account",
    summary: "Add an exit: a proxy through which pages are captured",
    body: NewExit,
    reply: ExitReply,
  },
  updateExit: {
    method: "PUT",
    path: "/api/exits/:exitId",
    access: "account",
    summary: "Change an exit; without a password it keeps its own, unless its address changes",
    params: ExitParams,
    body: NewExit,
    reply: ExitReply,
  },
  deleteExit: {
    method: "DELETE",
    path: "/api/exits/:exitId",
    access: "account",
    summary: "Delete an exit that no job and no group uses",
    params: ExitParams,
    reply: Outcome,
  },
  testExit: {
    method: "POST",
    path: "/api/exits/:exitId/test",
    access: "account",
    scope: "write",
    summary: "Request the echo URL through an exit and store how it did",
    params: ExitParams,
    reply: ExitReply,
  },
} as const satisfies Record<string, Route>;
