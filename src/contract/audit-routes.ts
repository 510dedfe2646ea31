import { AuditPage, AuditQuery } from "./audit.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: the account's audit trail. */
export const auditRoutes = {
  audit: {
    method: "GET",
    path: "/api/me/audit",
    access: "account",
    summary: "List who did what in the account, when and from where, newest first; kept for a year",
    query: AuditQuery,
    reply: AuditPage,
  },
  exportAudit: {
    method: "GET",
    path: "/api/me/audit/export",
    access: "account",
    summary: "Export the account's audit trail as CSV",
    reply: "text/csv",
  },
} as const satisfies Record<string, Route>;
