import Fastify, { type FastifyInstance } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { operationRoutes } from "#contract/operation-routes.ts";
import type { App } from "../app.ts";
import { handleError } from "../request-handling/errors.ts";
import { registerRoutes } from "../request-handling/register-routes.ts";
import { healthHandlers } from "./health-routes.ts";
import { callLogOptions, logCalls } from "./log-calls.ts";

/** The HTTP server of a role without the API: health, readiness and metrics. */
export function createOperations(app: App): FastifyInstance {
  const server = Fastify({
    loggerInstance: app.logger,
    ...callLogOptions,
    requestTimeout: 60_000,
  }) as unknown as FastifyInstance;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.setErrorHandler(handleError);
  logCalls(server, app);
  server.decorateRequest("actor", undefined);
  const { health, readiness, metrics } = operationRoutes;
  registerRoutes(server, app, { health, readiness, metrics }, healthHandlers);
  return server;
}
