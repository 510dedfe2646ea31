import Fastify, { type FastifyInstance, LogController } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { operationRoutes } from "#contract/operation-routes.ts";
import type { App } from "./app.ts";
import { handleError } from "./errors.ts";
import { registerRoutes } from "./register-routes.ts";
import { operationHandlers } from "./routes/operations.ts";

/** What a role without the API answers: whether it lives, whether it can work, and its figures. */
export function createOperations(app: App): FastifyInstance {
  const server = Fastify({
    loggerInstance: app.logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 60_000,
  }) as unknown as FastifyInstance;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.setErrorHandler(handleError);
  server.decorateRequest("actor", undefined);
  const { health, readiness, metrics } = operationRoutes;
  registerRoutes(server, app, { health, readiness, metrics }, operationHandlers);
  return server;
}
