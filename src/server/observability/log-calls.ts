import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { App } from "../app.ts";
import { hideTokens } from "./logger.ts";

export const requestIdHeader = "x-request-id";

/** Every line of the log about a call has its id. */
export const callLogOptions = {
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "id" }),
  genReqId: () => crypto.randomUUID(),
};

/**
 * Sends each call's id with its answer, measures the call, and logs it, also if its caller goes away before the answer
 * has ended. With ACCESS_LOG=on the line is logged whatever the level of the log, and names the caller's address.
 */
export function logCalls(
  server: FastifyInstance,
  { config, metrics }: Pick<App, "config" | "metrics">,
): void {
  function logCall({ method, url, ip, log }: FastifyRequest, reply: FastifyReply, event: string): void {
    const line = {
      method,
      path: hideTokens(url),
      ...(reply.raw.headersSent && { status: reply.statusCode }),
      ms: Math.round(reply.elapsedTime),
    };
    if (config.accessLog) log.child({}, { level: "info" }).info({ ...line, address: ip }, event);
    else log.debug(line, event);
  }
  server.addHook("onRequest", async (request, reply) => {
    reply.header(requestIdHeader, request.id);
    let isFinished = false;
    reply.raw.once("finish", () => {
      isFinished = true;
    });
    // Live events always end this way, and canceled downloads.
    reply.raw.once("close", () => {
      if (!isFinished) logCall(request, reply, "caller gone");
    });
  });
  server.addHook("onResponse", async (request, reply) => {
    const { method, routeOptions } = request;
    const route = routeOptions.config.route?.path ?? "other";
    metrics.requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    logCall(request, reply, "request answered");
  });
}
