import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#contract/actor.ts";
import { compareExecutions } from "#history/compare-executions.ts";
import { readHtml, readImage, readMetadata, readStepImage, readVisibleText } from "#history/read-capture.ts";
import { ownExecution, readExecution } from "#history/read-execution.ts";
import { readHistory } from "#history/read-history.ts";
import { readValueHistory } from "#history/read-values.ts";
import type { App } from "../app.ts";
import { matchesTag } from "../request-handling/matches-tag.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

/** Sets headers so that a capture never runs as a page. */
export function setCaptureHeaders(reply: FastifyReply, type: string): FastifyReply {
  return reply
    .type(type)
    .header("cache-control", "private, no-cache")
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "sandbox; default-src 'none'")
    .header("referrer-policy", "no-referrer");
}

type OwnCapture = {
  actor: Actor;
  params: { jobId: string; executionId: string };
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Sends part of a capture. It never changes, so browsers cache it, but ask each time whether it may still be seen. */
export async function sendCapture(
  app: App,
  { actor, params: { jobId, executionId }, request, reply }: OwnCapture,
  type: string,
  read: (deps: App["jobs"], actor: Actor, jobId: string, id: string) => Promise<Uint8Array | string>,
  part = executionId,
): Promise<FastifyReply> {
  const tag = `"${part}"`;
  setCaptureHeaders(reply, type).header("etag", tag);
  if (matchesTag(request, tag)) {
    await ownExecution(app.jobs, actor, jobId, executionId);
    return reply.status(304).send();
  }
  const content = await read(app.jobs, actor, jobId, executionId);
  return reply.send(typeof content === "string" ? content : Buffer.from(content));
}

export const executionHandlers: Handlers<
  | "executions"
  | "values"
  | "execution"
  | "executionImage"
  | "executionStepImage"
  | "executionHtml"
  | "executionText"
  | "metadata"
  | "compare"
> = {
  executions: (app, { actor, params, query }) => readHistory(app.jobs, actor, params.jobId, query),
  values: (app, { actor, params, query }) => readValueHistory(app.jobs, actor, params.jobId, query),
  execution: (app, { actor, params }) => readExecution(app.jobs, actor, params.jobId, params.executionId),
  executionImage: (app, call) => sendCapture(app, call, "image/png", readImage),
  executionStepImage: (app, call) =>
    sendCapture(
      app,
      call,
      "image/jpeg",
      (deps, actor) => readStepImage(deps, actor, call.params),
      `${call.params.executionId}-${call.params.step}`,
    ),
  executionHtml: (app, call) => sendCapture(app, call, "text/plain; charset=utf-8", readHtml),
  executionText: (app, call) => sendCapture(app, call, "text/plain; charset=utf-8", readVisibleText),
  metadata: (app, { actor, params }) => readMetadata(app.jobs, actor, params.jobId, params.executionId),
  async compare(app, { actor, params, query, reply }) {
    const controller = new AbortController();
    reply.raw.once("close", () => controller.abort());
    const verdict = await app.comparing.inTurn(actor.accountId, () =>
      compareExecutions(app.jobs, actor, params.jobId, query, controller.signal),
    );
    return { ...verdict, from: query.from, to: query.to };
  },
};
