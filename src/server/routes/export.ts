import { exportTotalHeader } from "#contract/export.ts";
import { readThumbnail } from "#history/read-thumbnail.ts";
import { readTimeline } from "#history/read-timeline.ts";
import { exportHistory } from "#import-export/export-history.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { sendCapture } from "./executions.ts";
import { sendExport } from "./send-export.ts";

export const exportHandlers: Handlers<"exportJob" | "timeline" | "executionThumbnail"> = {
  async exportJob(app, { actor, params, query, reply }) {
    return sendExport(app, { actor, reply }, async () => {
      const exported = await exportHistory(app.jobs, actor, params.jobId, query.format);
      reply.header(exportTotalHeader, exported.total);
      return exported;
    });
  },
  timeline: (app, { actor, params, query }) => readTimeline(app.jobs, actor, params.jobId, query),
  executionThumbnail: (app, call) => sendCapture(app, call, "image/webp", readThumbnail),
};
