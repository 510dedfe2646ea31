import { AuditPage, AuditQuery } from "./audit.ts";
import type { Route } from "./route.ts";

/** What was done to an account. */
export const auditRoutes = {
  audit: {
    method: "GET",
    path: "/api/me/audit",
    access: "account",
    summary: "What was done to the account: who, when, from where; kept a year",
    query: AuditQuery,
    reply: AuditPage,
  },
  exportAudit: {
    method: "GET",
    path: "/api/me/audit/export",
    access: "account",
    summary: "The same as CSV",
    reply: "text/csv",
  },
} as const satisfies Record<string, Route>;
