import { Readable } from "node:stream";
import { readNoise } from "#checks/read-noise.ts";
import { unlearnNoise } from "#checks/unlearn-noise.ts";
import { exportTotalHeader } from "#contract/export.ts";
import { exportHistory } from "#history/export-history.ts";
import { readThumbnail } from "#history/read-thumbnail.ts";
import { readTimeline } from "#history/read-timeline.ts";
import type { Handlers } from "../register-routes.ts";
import { sendCapture } from "./executions.ts";

export const exportHandlers: Handlers<
  "exportJob" | "timeline" | "executionThumbnail" | "noise" | "unlearnNoise"
> = {
  async exportJob(app, { actor, params, query, reply }) {
    const { name, type, total, parts } = await exportHistory(app.jobs, actor, params.jobId, query.format);
    return reply
      .type(type)
      .header("content-disposition", `attachment; filename="${name}"`)
      .header("cache-control", "no-store")
      .header(exportTotalHeader, total)
      .send(Readable.from(parts, { objectMode: false }));
  },
  noise: (app, { actor, params }) => readNoise(app.jobs, actor, params.jobId),
  async unlearnNoise(app, { actor, params, body }) {
    await unlearnNoise(app.jobs, actor, params.jobId, body.place);
    return { code: "NOISE_UNLEARNED", message: "Changes there are told again from the next check on." };
  },
  timeline: (app, { actor, params, query }) => readTimeline(app.jobs, actor, params.jobId, query),
  executionThumbnail: (app, call) => sendCapture(app, call, "image/webp", readThumbnail),
};
