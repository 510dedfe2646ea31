import { describeReports, readReport, requestReport } from "#reports/request-report.ts";
import type { Handlers } from "../register-routes.ts";

export const reportHandlers: Handlers<"createReport" | "listReports" | "reportPdf"> = {
  createReport: async (app, { actor, body }) => ({ id: await requestReport(app.jobs, actor, body) }),
  listReports: async (app, { actor }) => ({ reports: await describeReports(app, actor) }),
  async reportPdf(app, { actor, params, reply }) {
    const pdf = await readReport(app, actor, params.reportId);
    return reply
      .type("application/pdf")
      .header("content-disposition", `attachment; filename="watchglass-report-${params.reportId}.pdf"`)
      .header("cache-control", "private, no-store")
      .send(pdf);
  },
};
