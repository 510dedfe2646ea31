import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { KeyHolder } from "#accounts/api-keys.ts";
import type { Session } from "#accounts/session.ts";
import { AppError } from "#contract/errors.ts";
import { type Route, scopeOf } from "#contract/route.ts";
import type { RouteName, routes } from "#contract/routes.ts";
import { includesScope, scopes } from "#contract/scopes.ts";
import type { App } from "./app.ts";
import { prepareAudit } from "./audit-calls.ts";
import type { Caller } from "./authenticate.ts";
import { unknownWords } from "./describe-problem.ts";
import { bodySchema, findUnknownField, type JsonSchema } from "./json-schema.ts";

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

/** Registers every row of the table; a row without an access rule or a handler stops the start. */
export function registerRoutes(
  server: FastifyInstance,
  app: App,
  table: Record<string, Route>,
  handlers: Record<string, (app: App, call: never) => Promise<unknown>>,
): void {
  /** What writes a call down, of those that are under way. */
  const entries = new WeakMap<FastifyRequest, () => Promise<void>>();
  for (const [name, route] of Object.entries(table)) {
    if (!["public", "account", "signed"].includes(route.access)) {
      throw new Error(`route ${name} declares no access rule`);
    }
    const handler = handlers[name];
    if (!handler) throw new Error(`route ${name} has no handler`);
    let known: JsonSchema | undefined;
    server.route({
      method: route.method,
      url: route.path,
      config: { route },
      // Whoever looks at a link before its owner does (mail filters) must not use it up.
      exposeHeadRoute: !route.path.startsWith("/api/"),
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
        // Visitors share the demo account: they look, and leave nothing for each other.
        if (request.actor.accountId === app.demoAccountId && route.method !== "GET" && !route.demo)
          throw new AppError("DEMO_READ_ONLY");
      },
      preValidation: async ({ body }) => {
        if (!route.body || body === undefined) return;
        known ??= bodySchema(route.body).schema;
        const unknown = findUnknownField(known, body);
        if (unknown)
          throw new AppError(route.invalid ?? "INVALID_INPUT", unknownWords(unknown), {
            field: unknown.path,
          });
      },
      handler: async (request, reply) => {
        const { params, query, body, actor } = request;
        if (route.status) reply.status(route.status);
        const writeDown = await prepareAudit(app, name, request);
        if (writeDown) entries.set(request, writeDown);
        return handler(app, { params, query, body, actor, request, reply } as never);
      },
      // Before anything is sent: whoever has an answer, or the first byte of an archive, is in the trail.
      onSend: async (request, reply) => {
        const writeDown = entries.get(request);
        entries.delete(request);
        if (reply.statusCode < 400) await writeDown?.();
      },
    });
  }
}

function assertScope(route: Route, { scope }: KeyHolder): void {
  const needed = scopeOf(route);
  if (needed === "session")
    throw new AppError("SCOPE_MISSING", "No API key may do this: sign in with the password.");
  if (includesScope(scope, needed)) return;
  throw new AppError(
    "SCOPE_MISSING",
    `This API key has the scope "${scope}"; this call needs "${needed}" (${scopes[needed].toLowerCase()}).`,
  );
}
