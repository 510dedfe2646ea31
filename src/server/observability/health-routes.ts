import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import type { App } from "../app.ts";
import { isLocalCall, isLoopback } from "../request-handling/origin-of-call.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { findReadinessProblem } from "./find-readiness-problem.ts";
import { readMetrics } from "./metrics.ts";

export const healthHandlers: Handlers<"health" | "readiness" | "metrics"> = {
  async health() {
    return { status: "ok" };
  },
  async readiness(app, { request }) {
    const problem = await findReadinessProblem(app);
    if (!problem) return { status: "ready" };
    const { sentence, reason, isServing } = problem;
    const message = reason && isOperator(app, request) ? sentence.replace(/\.$/, `: ${reason}.`) : sentence;
    if (isServing) return { status: "ready", problem: message };
    throw new AppError("NOT_READY", message);
  },
  async metrics(app, { request, reply }) {
    if (!isOperator(app, request)) {
      const { metricsToken, baseUrl } = app.config;
      if (metricsToken || isLoopback(baseUrl)) throw new AppError("NOT_FOUND");
      throw new AppError(
        "UNAUTHENTICATED",
        "Metrics need a token here because BASE_URL is public: set METRICS_TOKEN and send it as “Authorization: Bearer”.",
      );
    }
    return reply.type(app.metrics.registry.contentType).send(await readMetrics(app.metrics));
  },
};

/**
 * Who may see figures and reasons: callers that know the token. If no token is set, callers on this machine, but not if
 * BASE_URL is public: a proxy here may forward anybody's calls, and one that adds no header looks like this machine.
 */
function isOperator({ config: { metricsToken, baseUrl } }: App, request: FastifyRequest): boolean {
  if (metricsToken) return isBearer(request, metricsToken);
  return isLoopback(baseUrl) && isLocalCall(request) && isFromHere(request.ip);
}

function isFromHere(ip: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(ip);
}

function isBearer({ headers }: FastifyRequest, token: string): boolean {
  const given = createHash("sha256")
    .update(headers.authorization ?? "")
    .digest();
  return timingSafeEqual(given, createHash("sha256").update(`Bearer ${token}`).digest());
}
