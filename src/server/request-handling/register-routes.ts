import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { includesScope, scopes } from "#accounts/api-key-scopes.ts";
import type { KeyHolder } from "#accounts/api-keys.ts";
import type { Session } from "#accounts/session.ts";
import { prepareAudit } from "#audit/audit-calls.ts";
import { AppError } from "#contract/errors.ts";
import { type Route, scopeOf } from "#contract/route.ts";
import type { RouteName, routes } from "#contract/routes.ts";
import type { App } from "../app.ts";
import { refuseDemoChanges } from "../demo/refuse-changes.ts";
import { bodySchema, findUnknownField, type JsonSchema } from "../openapi/json-schema.ts";
import type { Caller } from "./authenticate.ts";
import { describeUnknownField } from "./describe-problem.ts";

type Table = typeof routes;
type Parsed<R, Part extends string> =
  R extends Record<Part, infer S extends z.ZodType> ? z.output<S> : undefined;
type Reply<R extends Route> = R["reply"] extends z.ZodType ? z.input<R["reply"]> : unknown;

type Call<R extends Route> = {
  params: Parsed<R, "params">;
  query: Parsed<R, "query">;
  body: Parsed<R, "body">;
  actor: R["access"] extends "account"
    ? R extends { scope: "session" }
      ? Session
      : Caller
    : Caller | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
};
type Handler<R extends Route> = (app: App, call: Call<R>) => Promise<Reply<R>>;
export type Handlers<Names extends RouteName = RouteName> = { [Name in Names]: Handler<Table[Name]> };

/** Registers every row of the table. A row without an access rule or a handler makes the start fail. */
export function registerRoutes(
  server: FastifyInstance,
  app: App,
  table: Record<string, Route>,
  handlers: Record<string, (app: App, call: never) => Promise<unknown>>,
): void {
  /** Functions that write the audit entries of the calls in progress. */
  const auditWriters = new WeakMap<FastifyRequest, () => Promise<void>>();
  for (const [name, route] of Object.entries(table)) {
    if (!["public", "account", "signed"].includes(route.access)) {
      throw new Error(`route ${name} declares no access rule`);
    }
    const handler = handlers[name];
    if (!handler) throw new Error(`route ${name} has no handler`);
    let expected: JsonSchema | undefined;
    server.route({
      method: route.method,
      url: route.path,
      config: { route },
      // A mail filter that requests a link before its owner does must not use it up.
      exposeHeadRoute: route.head ?? !route.path.startsWith("/api/"),
      schema: {
        ...(route.params ? { params: route.params } : {}),
        ...(route.query ? { querystring: route.query } : {}),
        ...(route.body ? { body: route.body } : {}),
        ...(typeof route.reply === "string" ? {} : { response: { [route.status ?? 200]: route.reply } }),
      },
      onRequest: async (request) => {
        if (route.access !== "account") return;
        if (!request.actor) throw new AppError("UNAUTHENTICATED");
        if ("keyId" in request.actor) assertScope(route, request.actor);
        refuseDemoChanges(app, route, request.actor.accountId);
      },
      preValidation: async ({ body }) => {
        if (!route.body || body === undefined) return;
        expected ??= bodySchema(route.body).schema;
        const unknown = findUnknownField(expected, body);
        if (unknown)
          throw new AppError(route.invalid ?? "INVALID_INPUT", describeUnknownField(unknown), {
            field: unknown.path,
          });
      },
      handler: async (request, reply) => {
        const { params, query, body, actor } = request;
        if (route.status) reply.status(route.status);
        const writeAudit = await prepareAudit(app, name, request);
        if (writeAudit) auditWriters.set(request, writeAudit);
        return handler(app, { params, query, body, actor, request, reply } as never);
      },
      // Written before anything is sent: whoever got a reply, or the first byte of an archive, is in the audit trail.
      onSend: async (request, reply) => {
        const writeAudit = auditWriters.get(request);
        auditWriters.delete(request);
        if (reply.statusCode < 400) await writeAudit?.();
      },
    });
  }
}

function assertScope(route: Route, { scope }: KeyHolder): void {
  const needed = scopeOf(route);
  if (needed === "session")
    throw new AppError("SCOPE_MISSING", "API keys can’t do this. Sign in with your password.");
  if (includesScope(scope, needed)) return;
  throw new AppError(
    "SCOPE_MISSING",
    `This API key has the scope "${scope}"; this call needs "${needed}" (${scopes[needed].toLowerCase()}).`,
  );
}
