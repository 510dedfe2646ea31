import { existsSync } from "node:fs";
import { join } from "node:path";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import fastifyStatic from "@fastify/static";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { callerKey } from "#accounts/limit-attempts.ts";
import { AppError } from "#contract/errors.ts";
import type { Route } from "#contract/route.ts";
import { routes, webPaths } from "#contract/routes.ts";
import type { App } from "./app.ts";
import { authenticate, type Caller, tokenOf } from "./authenticate.ts";
import type { Config } from "./config.ts";
import { describeApi } from "./describe-api.ts";
import { docsTheme } from "./docs-theme.ts";
import { handleError } from "./errors.ts";
import { openLanes } from "./lanes.ts";
import { hideTokens } from "./logger.ts";
import { isOurName } from "./origin-of-call.ts";
import { openPatience } from "./patience.ts";
import { registerRoutes } from "./register-routes.ts";
import { handlers } from "./routes/handlers.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Caller | undefined;
    /** Lets the caller's next call begin. */
    leave: (() => void) | undefined;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

const MiB = 1024 * 1024;
/** Of one address; what is ready and only on its way does not count. */
const callsAtOnce = 6;

const bareHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** By the route that was found, since an address can be spelled in many ways. */
const isCall = ({ routeOptions }: FastifyRequest) => routeOptions.config.route?.path.startsWith("/api/");

/** The HTTP side of the product: the calls of the route table, their documentation, and the web application. */
export async function createApi(app: App, webRoot = join(import.meta.dirname, "../../dist/web")) {
  const server = Fastify({
    loggerInstance: app.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => crypto.randomUUID(),
    // These happen before any hook runs, so that the headers that every answer has are set here.
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request as FastifyRequest, (reply as FastifyReply).headers(bareHeaders)),
    bodyLimit: 256 * 1024,
    requestTimeout: 60_000,
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    routerOptions: { maxParamLength: 300 },
  }) as unknown as FastifyInstance;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.setErrorHandler(handleError);
  acceptJsonOnly(server);
  server.decorateRequest("actor", undefined);
  server.decorateRequest("leave", undefined);

  const patience = openPatience();
  const lanes = openLanes(callsAtOnce);
  const nameOf = (request: FastifyRequest) => {
    const token = tokenOf(request);
    return token && (request.actor || patience.left(token) > 0) ? token : callerKey(request.ip);
  };
  const refuseHeld = (caller: string) => {
    const ms = patience.left(caller);
    if (ms > 0) throw rateLimited(ms);
  };

  await server.register(helmet, securityHeaders(app.config));
  await server.register(cookie);
  await server.register(multipart, {
    limits: { fileSize: 5 * MiB, files: 1, fields: 0 },
    throwFileSizeLimit: true,
  });
  server.addHook("onRequest", async (request, reply) => {
    if (!isOurName(request, app.config)) throw new AppError("FORBIDDEN_ORIGIN");
    if (!isCall(request)) return;
    const token = tokenOf(request);
    if (token) refuseHeld(token);
    const { entered, leave } = lanes.enter(callerKey(request.ip));
    request.leave = leave;
    reply.raw.once("close", leave);
    await entered;
    request.actor = await authenticate(app, request);
    if (!request.actor) refuseHeld(callerKey(request.ip));
  });
  await server.register(rateLimit, {
    max: app.config.rateLimitPerMinute,
    timeWindow: 60_000,
    allowList: (request: FastifyRequest) => !isCall(request),
    keyGenerator: (request) => request.actor?.accountId ?? callerKey(request.ip),
    errorResponseBuilder: (request, { ttl }) => {
      patience.hold(nameOf(request), ttl);
      return rateLimited(ttl);
    },
  });
  server.addHook("onSend", async (request, reply) => {
    request.leave?.();
    if (reply.statusCode === 429) await patience.wait(nameOf(request));
    if (isCall(request) && !reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
  server.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.config.route?.path ?? "other";
    const labels = { method: request.method, route, status: reply.statusCode };
    app.metrics.requests.observe(labels, reply.elapsedTime / 1000);
    const ms = Math.round(reply.elapsedTime);
    const line = {
      id: request.id,
      method: request.method,
      path: hideTokens(request.url),
      status: reply.statusCode,
      ms,
    };
    request.log.debug(line, "answered");
  });

  // Made when somebody asks for it: it takes longer than the rest of the start.
  let made: ReturnType<typeof describeApi> | undefined;
  const document = () => (made ??= describeApi());
  const later = { openapi: "3.1.0", info: { title: "Watchglass", version: "1" }, paths: {} };
  await server.register(swagger, { mode: "static", specification: { document: later } });
  await server.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: false,
    transformSpecification: document,
    transformSpecificationClone: false,
    ...docsTheme,
  });
  registerRoutes(server, app, routes, handlers);
  server.addHook("preClose", async () => app.events.endAll());
  server.get("/api/openapi.json", { schema: { hide: true } }, async () => document());
  // Agents ask for a stream first, and take this for: there is none.
  server.get("/api/mcp", { schema: { hide: true } }, async (_, reply) =>
    reply
      .status(405)
      .header("allow", "POST")
      .send({ code: "NOT_FOUND", message: "Agents speak by POST here." }),
  );
  await serveWeb(server, webRoot);
  return server;
}

const rateLimited = (ms: number) =>
  new AppError("RATE_LIMITED", undefined, { retryAfterSeconds: Math.ceil(ms / 1000) });

function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    // A signature may be over these very bytes, so such a call gets them as they came.
    if (request.routeOptions.config.route?.bodyType === "bytes") return done(null, body);
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new AppError("INVALID_JSON"));
    }
  });
  // Mail providers post a form to unsubscribe (RFC 8058); nobody reads it.
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
      throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Compressed request bodies are not accepted.");
    }
  });
}

function securityHeaders({ baseUrl, paddle }: Config) {
  const isHttps = baseUrl.startsWith("https:");
  // Paddle's overlay is a script of theirs that opens a frame of theirs; without Paddle nobody else's code is let in.
  const stage = paddle?.environment === "production" ? "" : "sandbox-";
  const theirs = paddle
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
        scriptSrc: ["'self'", ...theirs.script],
        styleSrc: ["'self'", "'unsafe-inline'", ...theirs.assets],
        imgSrc: ["'self'", "data:", "blob:", ...theirs.assets],
        ...(paddle ? { frameSrc: theirs.frame } : {}),
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
  const known = webPaths.map((path) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`));
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.replace(/[?#].*$/s, "");
    const isKnown = known.some((pattern) => pattern.test(path));
    const isPage = isKnown || !/^\/api\/|\.\w+$/.test(path);
    if (request.method !== "GET" || !isPage || !existsSync(join(root, "index.html")))
      throw new AppError("NOT_FOUND");
    if (path.startsWith("/share/")) reply.header("x-robots-tag", "noindex, nofollow");
    const hasMarkup = path === "/" && existsSync(join(root, "landing.html"));
    return reply.status(isKnown ? 200 : 404).sendFile(hasMarkup ? "landing.html" : "index.html");
  });
}
