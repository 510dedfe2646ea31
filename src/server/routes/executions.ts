import type { FastifyReply } from "fastify";
import { compareExecutions } from "#history/compare-executions.ts";
import { readHtml, readImage, readMetadata, readVisibleText } from "#history/read-capture.ts";
import { readExecution } from "#history/read-execution.ts";
import { readHistory } from "#history/read-history.ts";
import type { Handlers } from "../register-routes.ts";

/** A capture never changes, and never runs as a page. */
export function asCapture(reply: FastifyReply, type: string): FastifyReply {
  return reply
    .type(type)
    .header("cache-control", "private, max-age=31536000, immutable")
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "sandbox; default-src 'none'")
    .header("referrer-policy", "no-referrer");
}

export const executionHandlers: Handlers<
  "executions" | "execution" | "executionImage" | "executionHtml" | "executionText" | "metadata" | "compare"
> = {
  executions: (app, { actor, params, query }) => readHistory(app.jobs, actor, params.jobId, query),
  execution: (app, { actor, params }) => readExecution(app.jobs, actor, params.jobId, params.executionId),
  async executionImage(app, { actor, params, reply }) {
    const png = await readImage(app.jobs, actor, params.jobId, params.executionId);
    return asCapture(reply, "image/png").send(Buffer.from(png));
  },
  async executionHtml(app, { actor, params, reply }) {
    const html = await readHtml(app.jobs, actor, params.jobId, params.executionId);
    return asCapture(reply, "text/plain; charset=utf-8").send(html);
  },
  async executionText(app, { actor, params, reply }) {
    const text = await readVisibleText(app.jobs, actor, params.jobId, params.executionId);
    return asCapture(reply, "text/plain; charset=utf-8").send(text);
  },
  metadata: (app, { actor, params }) => readMetadata(app.jobs, actor, params.jobId, params.executionId),
  async compare(app, { actor, params, query }) {
    return {
      ...(await compareExecutions(app.jobs, actor, params.jobId, query)),
      from: query.from,
      to: query.to,
    };
  },
};
