import { Readable } from "node:stream";
import { exportTotalHeader } from "#contract/export.ts";
import { readThumbnail } from "#history/read-thumbnail.ts";
import { readTimeline } from "#history/read-timeline.ts";
import { exportHistory } from "#import-export/export-history.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { sendCapture } from "./executions.ts";

export const exportHandlers: Handlers<"exportJob" | "timeline" | "executionThumbnail"> = {
  async exportJob(app, { actor, params, query, reply }) {
    const { name, type, total, parts } = await exportHistory(app.jobs, actor, params.jobId, query.format);
    return reply
      .type(type)
      .header("content-disposition", `attachment; filename="${name}"`)
      .header("cache-control", "no-store")
      .header(exportTotalHeader, total)
      .send(Readable.from(parts, { objectMode: false }));
  },
  timeline: (app, { actor, params, query }) => readTimeline(app.jobs, actor, params.jobId, query),
  executionThumbnail: (app, call) => sendCapture(app, call, "image/webp", readThumbnail),
};
