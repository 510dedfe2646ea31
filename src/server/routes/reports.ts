import type { FastifyReply } from "fastify";
import type { ReportFormat } from "#contract/report.ts";
import { deleteReport, describeReports, readReport, requestReport } from "#reports/request-report.ts";
import { deleteSchedule, listSchedules, scheduleReport } from "#reports/schedule-report.ts";
import { readSharedReport, shareReport, unshareReport } from "#sharing/share-report.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { setCaptureHeaders } from "./executions.ts";

const types: Record<ReportFormat, string> = { pdf: "application/pdf", html: "text/html; charset=utf-8" };

/** Sets headers so that a report, which contains text of captured pages, runs and loads nothing. */
function asReport(reply: FastifyReply, format: ReportFormat): FastifyReply {
  return setCaptureHeaders(reply, types[format])
    .header("cache-control", "private, no-store")
    .header(
      "content-security-policy",
      "sandbox allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    );
}

const asFile = (reply: FastifyReply, id: string, format: ReportFormat) =>
  asReport(reply, format).header(
    "content-disposition",
    `attachment; filename="watchglass-report-${id}.${format}"`,
  );

export const reportHandlers: Handlers<
  | "createReport"
  | "listReports"
  | "deleteReport"
  | "reportPdf"
  | "reportHtml"
  | "shareReport"
  | "unshareReport"
  | "sharedReport"
  | "createSchedule"
  | "listSchedules"
  | "deleteSchedule"
> = {
  createReport: async (app, { actor, body }) => ({ id: await requestReport(app.jobs, actor, body) }),
  listReports: async (app, { actor }) => ({ reports: await describeReports(app, actor) }),
  async deleteReport(app, { actor, params }) {
    await deleteReport(app, actor, params.reportId);
    return { code: "REPORT_DELETED", message: "The report is deleted." };
  },
  async reportPdf(app, { actor, params: { reportId }, reply }) {
    const file = await readReport(app, actor, reportId, "pdf");
    return asFile(reply, reportId, "pdf").send(file);
  },
  async reportHtml(app, { actor, params: { reportId }, reply }) {
    const file = await readReport(app, actor, reportId, "html");
    return asFile(reply, reportId, "html").send(file);
  },
  async shareReport(app, { actor, params, body }) {
    const { path, expiresAt } = await shareReport(app, actor, params.reportId, body.days);
    return { url: app.config.baseUrl + path, expiresAt };
  },
  async unshareReport(app, { actor, params }) {
    await unshareReport(app, actor, params.reportId);
    return { code: "SHARE_REVOKED", message: "The link no longer works." };
  },
  async sharedReport(app, { params, reply }) {
    const file = await readSharedReport(app, params.token, params.format);
    // Browsers don't show a PDF in a sandbox, so it is sent as a download.
    const shown = params.format === "pdf" ? asFile(reply, "shared", "pdf") : asReport(reply, "html");
    return shown.header("x-robots-tag", "noindex, nofollow").send(file);
  },
  createSchedule: (app, { actor, body }) => scheduleReport(app, actor, body),
  listSchedules: async (app, { actor }) => ({ schedules: await listSchedules(app, actor) }),
  async deleteSchedule(app, { actor, params }) {
    await deleteSchedule(app, actor, params.scheduleId);
    return { code: "SCHEDULE_DELETED", message: "These reports are no longer created." };
  },
};
