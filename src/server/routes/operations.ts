import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import { listMails, readMail } from "#delivery/mailbox.ts";
import type { App } from "../app.ts";
import { readMetrics } from "../metrics.ts";
import { isLocalCall, isLoopback } from "../origin-of-call.ts";
import type { Handlers } from "../register-routes.ts";
import { whyNotReady } from "../why-not-ready.ts";

export const operationHandlers: Handlers<
  "site" | "portrait" | "health" | "readiness" | "metrics" | "listMails" | "readMail"
> = {
  async site({ config, mailbox }, { request }) {
    const { jurisdiction, supportEmail, about, demoPort } = config;
    return {
      jurisdiction,
      supportEmail,
      demo: demoPort !== null,
      mailbox: mailbox !== undefined && isLocalCall(request),
      about: { ...about, portrait: about.portrait !== undefined },
    };
  },
  async portrait({ config }, { reply }) {
    const { portrait } = config.about;
    if (!portrait) throw new AppError("NOT_FOUND");
    return reply
      .type(portrait.type)
      .header("cache-control", "no-cache")
      .send(await readFile(portrait.path));
  },
  async health() {
    return { status: "ok" };
  },
  async readiness(app, { request }) {
    const problem = await whyNotReady(app);
    if (!problem) return { status: "ready" };
    const { sentence, reason } = problem;
    const told = reason && isOperator(app, request) ? sentence.replace(/\.$/, `: ${reason}.`) : sentence;
    throw new AppError("NOT_READY", told);
  },
  async metrics(app, { request, reply }) {
    if (!app.config.metricsToken && !isLoopback(app.config.baseUrl))
      throw new AppError(
        "UNAUTHENTICATED",
        "These figures need a token here, because BASE_URL is public: set METRICS_TOKEN and send it as Authorization: Bearer.",
      );
    if (!isOperator(app, request)) throw new AppError("NOT_FOUND");
    return reply.type(app.metrics.registry.contentType).send(await readMetrics(app.metrics));
  },
  async listMails(app, { request }) {
    return { mails: await listMails(openMailbox(app.mailbox, request)) };
  },
  async readMail(app, { params, request }) {
    const mail = await readMail(openMailbox(app.mailbox, request), params.id);
    if (!mail) throw new AppError("NOT_FOUND", "There is no such mail.");
    return mail;
  },
};

/**
 * Who may see figures and reasons: whoever knows the token. Without one, a call from this machine; but where BASE_URL is
 * public a proxy here may pass on anybody's calls, and a proxy that adds no header can't be told from its machine.
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

/**
 * Mails hold links that take over accounts: they are shown to this machine's own user only. There is no folder where
 * SMTP_URL is set or HOST or BASE_URL is public, so that there no token opens it either.
 */
function openMailbox(folder: string | undefined, request: FastifyRequest): string {
  if (!folder || !isLocalCall(request))
    throw new AppError(
      "NOT_FOUND",
      "Mails are shown only on the machine itself, and only while HOST and BASE_URL are loopback and SMTP_URL is not set.",
    );
  return folder;
}
