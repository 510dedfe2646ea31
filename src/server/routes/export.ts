import { Readable } from "node:stream";
import { exportTotalHeader } from "#contract/export.ts";
import { exportHistory } from "#jobs/export-history.ts";
import { readThumbnail } from "#jobs/thumbnail.ts";
import { readTimeline } from "#jobs/timeline.ts";
import type { Handlers } from "../register-routes.ts";
import { asCapture } from "./executions.ts";

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
  async executionThumbnail(app, { actor, params, reply }) {
    const webp = await readThumbnail(app.jobs, actor, params.jobId, params.executionId);
    return asCapture(reply, "image/webp").send(Buffer.from(webp));
  },
};
