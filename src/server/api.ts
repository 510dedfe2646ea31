import { existsSync } from "node:fs";
import { join } from "node:path";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import fastifyStatic from "@fastify/static";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { AppError } from "#contract/errors.ts";
import type { Route } from "#contract/route.ts";
import { drawnPages, routes, webPaths } from "#contract/routes.ts";
import type { BodyRules } from "#request-limits/watch-bodies.ts";
import type { ResponseRules } from "#request-limits/watch-responses.ts";
import type { App } from "./app.ts";
import type { Config } from "./config.ts";
import { callLogOptions, logCalls, requestIdHeader } from "./observability/log-calls.ts";
import { describeApi } from "./openapi/describe-api.ts";
import { docsTheme } from "./openapi/docs-theme.ts";
import { admitCalls, isCall } from "./request-handling/admit-calls.ts";
import { cutOffUnread } from "./request-handling/cut-off-unread.ts";
import { handleError } from "./request-handling/errors.ts";
import { isOurHost } from "./request-handling/origin-of-call.ts";
import { registerRoutes } from "./request-handling/register-routes.ts";
import { acceptSockets, isLiveSocket } from "./request-handling/sockets.ts";
import { handlers } from "./routes/handlers.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    route?: Route;
  }
}

const MiB = 1024 * 1024;

const bareHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** The HTTP server: the calls of the route table, their documentation and the web application. */
export async function createApi(
  app: App,
  webRoot = join(import.meta.dirname, "../../dist/web"),
  transferRules: Partial<BodyRules & ResponseRules> = {},
) {
  const server = Fastify({
    loggerInstance: app.logger,
    ...callLogOptions,
    // These errors occur before any hook runs, so the headers that every response needs are set here.
    frameworkErrors: (error, request, reply) =>
      void handleError(
        error,
        request as FastifyRequest,
        (reply as FastifyReply).headers({ ...bareHeaders, [requestIdHeader]: request.id }),
      ),
    bodyLimit: 256 * 1024,
    // Enough for an archive of a gigabyte. Slow bodies are cut off much earlier (watch-bodies.ts), slow headers below.
    requestTimeout: 15 * 60_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, shouldUpgradeCallback: isLiveSocket },
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    routerOptions: { maxParamLength: 300 },
  }) as unknown as FastifyInstance;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.setErrorHandler(handleError);
  acceptJsonOnly(server);
  logCalls(server, app);

  await server.register(helmet, securityHeaders(app.config));
  await server.register(cookie);
  await server.register(multipart, {
    limits: { fileSize: 5 * MiB, files: 1, fields: 0 },
    throwFileSizeLimit: true,
  });
  server.addHook("onRequest", async (request) => {
    if (!isOurHost(request, app.config)) throw new AppError("FORBIDDEN_ORIGIN");
  });
  admitCalls(server, app, transferRules);
  cutOffUnread(server, transferRules);
  server.addHook("onSend", async (request, reply) => {
    if (isCall(request) && !reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
  // Built on the first request, because it takes longer than the rest of the start, and written only once, because
  // anybody may ask for it.
  let built: Buffer | undefined;
  const document = () => (built ??= Buffer.from(JSON.stringify(describeApi(app.config))));
  const emptyDocument = { openapi: "3.1.0", info: { title: "Watchglass", version: "1" }, paths: {} };
  await server.register(swagger, { mode: "static", specification: { document: emptyDocument } });
  await server.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: false,
    uiHooks: { onRequest: sendToDocument },
    ...docsTheme,
  });
  registerRoutes(server, app, routes, handlers);
  acceptSockets(server);
  server.addHook("preClose", async () => app.events.endAll());
  server.get("/api/openapi.json", { schema: { hide: true } }, async (_, reply) =>
    reply.type("application/json; charset=utf-8").send(document()),
  );
  // Agents ask for a stream first; a 405 tells them that there is none.
  server.get("/api/mcp", { schema: { hide: true } }, async (_, reply) =>
    reply.status(405).header("allow", "POST").send({ code: "NOT_FOUND", message: "Agents use POST here." }),
  );
  await serveWeb(server, webRoot);
  return server;
}

/** The documentation's page has addresses of its own for the document, at which it would be written for each request. */
function sendToDocument(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) {
  if (routeOptions.url === "/api/docs/json") reply.redirect("/api/openapi.json");
  else done(routeOptions.url === "/api/docs/yaml" ? new AppError("NOT_FOUND") : undefined);
}

function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    // A signature covers the exact bytes, so signed calls get the body unparsed.
    if (request.routeOptions.config.route?.bodyType === "bytes") return done(null, body);
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new AppError("INVALID_JSON"));
    }
  });
  // Mail providers post a form to unsubscribe (RFC 8058); its content is ignored.
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (request, _, done) =>
      request.routeOptions.config.route?.bodyType === "form"
        ? done(null, undefined)
        : done(new AppError("UNSUPPORTED_MEDIA_TYPE")),
  );
  server.addHook("onRequest", async (request) => {
    const coding = request.headers["content-encoding"];
    if (coding && coding !== "identity") {
      throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Compressed request bodies aren’t accepted.");
    }
  });
}

function securityHeaders({ baseUrl, paddle }: Config) {
  const isHttps = baseUrl.startsWith("https:");
  // Paddle's overlay is its own script, which opens its own frame. Without Paddle, no third-party code is allowed.
  const stage = paddle?.environment === "production" ? "" : "sandbox-";
  const sources = paddle
    ? {
        script: ["https://cdn.paddle.com"],
        frame: [`https://${stage}buy.paddle.com`],
        assets: [`https://${stage}cdn.paddle.com`],
      }
    : { script: [], frame: [], assets: [] };
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...sources.script],
        styleSrc: ["'self'", "'unsafe-inline'", ...sources.assets],
        imgSrc: ["'self'", "data:", "blob:", ...sources.assets],
        ...(paddle ? { frameSrc: sources.frame } : {}),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: "no-referrer" as const },
    xFrameOptions: { action: "deny" as const },
  };
}

async function serveWeb(server: FastifyInstance, root: string): Promise<void> {
  if (existsSync(root)) {
    await server.register(fastifyStatic, {
      root,
      wildcard: false,
      preCompressed: true,
      index: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.includes("/assets/");
        reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  const pagePatterns = webPaths.map((path) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`));
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.replace(/[?#].*$/s, "");
    const isKnown = pagePatterns.some((pattern) => pattern.test(path));
    const isPage = isKnown || !/^\/api\/|\.\w+$/.test(path);
    if (request.method !== "GET" || !isPage || !existsSync(join(root, "index.html")))
      throw new AppError("NOT_FOUND");
    if (path.startsWith("/share/")) reply.header("x-robots-tag", "noindex, nofollow");
    const drawn = drawnPages[path];
    const hasMarkup = drawn !== undefined && existsSync(join(root, drawn));
    return reply.status(isKnown ? 200 : 404).sendFile(hasMarkup ? drawn : "index.html");
  });
}
