import { BulkAction, BulkActionParams, BulkActions, BulkReply } from "./bulk-action.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: actions on several jobs, which can be undone. */
export const bulkRoutes = {
  applyBulkAction: {
    method: "POST",
    path: "/api/bulk-actions",
    access: "account",
    scope: "write",
    summary:
      "Apply one action to several jobs in one transaction; a deletion is carried out 30 minutes later, until then the jobs are not checked",
    body: BulkAction,
    reply: BulkReply,
  },
  listBulkActions: {
    method: "GET",
    path: "/api/bulk-actions",
    access: "account",
    summary: "List the actions that can still be undone, newest first",
    reply: BulkActions,
  },
  undoBulkAction: {
    method: "POST",
    path: "/api/bulk-actions/:actionId/undo",
    access: "account",
    scope: "write",
    summary: "Undo an action on several jobs; jobs that were changed again since then stay as they are",
    params: BulkActionParams,
    reply: BulkReply,
  },
} as const satisfies Record<string, Route>;
