import { z } from "zod";
import { NewReport, Report, ReportParams } from "./report.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: reports of what was seen over a time. */
export const reportRoutes = {
  createReport: {
    method: "POST",
    path: "/api/reports",
    access: "account",
    scope: "write",
    summary: "Have a PDF made of a job's or a group's changes",
    body: NewReport,
    reply: z.object({ id: z.uuid() }),
    status: 202,
  },
  listReports: {
    method: "GET",
    path: "/api/reports",
    access: "account",
    summary: "The newest reports",
    reply: z.object({ reports: z.array(Report) }),
  },
  reportPdf: {
    method: "GET",
    path: "/api/reports/:reportId/pdf",
    access: "account",
    summary: "A report that is ready",
    params: ReportParams,
    reply: "application/pdf",
  },
} as const satisfies Record<string, Route>;
