import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Session } from "#accounts/session.ts";
import { AppError } from "#contract/errors.ts";
import type { Route } from "#contract/route.ts";
import type { RouteName, routes } from "#contract/routes.ts";
import type { App } from "./app.ts";
import { prepareAudit } from "./audit-calls.ts";

type Table = typeof routes;
type Parsed<R, Part extends string> =
  R extends Record<Part, infer S extends z.ZodType> ? z.output<S> : undefined;
type Reply<R extends Route> = R["reply"] extends z.ZodType ? z.input<R["reply"]> : unknown;

type Call<R extends Route> = {
  params: Parsed<R, "params">;
  query: Parsed<R, "query">;
  body: Parsed<R, "body">;
  actor: R["access"] extends "account" ? Session : Session | undefined;
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
  for (const [name, route] of Object.entries(table)) {
    if (!["public", "account", "signed"].includes(route.access)) {
      throw new Error(`route ${name} declares no access rule`);
    }
    const handler = handlers[name];
    if (!handler) throw new Error(`route ${name} has no handler`);
    server.route({
      method: route.method,
      url: route.path,
      config: { route },
      // Whoever looks at a link before its owner does (mail filters) must not use it up.
      exposeHeadRoute: !route.path.startsWith("/api/"),
      schema: {
        summary: route.summary,
        tags: [route.path.split("/")[2] ?? "operations"],
        ...(route.access === "account" ? { security: [{ session: [] }, { bearer: [] }] } : {}),
        ...(route.params ? { params: route.params } : {}),
        ...(route.query ? { querystring: route.query } : {}),
        ...(route.body ? { body: route.body } : {}),
        ...(typeof route.reply === "string"
          ? { produces: [route.reply] }
          : { response: { [route.status ?? 200]: route.reply } }),
      },
      onRequest: async (request) => {
        if (route.access !== "account") return;
        if (!request.actor) throw new AppError("UNAUTHENTICATED");
        // Visitors share the demo account: they look, and leave nothing for each other.
        if (request.actor.accountId === app.demoAccountId && route.method !== "GET" && !route.demo)
          throw new AppError("DEMO_READ_ONLY");
      },
      handler: async (request, reply) => {
        const { params, query, body, actor } = request;
        if (route.status) reply.status(route.status);
        const writeDown = await prepareAudit(app, name, request);
        const answer = await handler(app, { params, query, body, actor, request, reply } as never);
        await writeDown?.();
        return answer;
      },
    });
  }
}
