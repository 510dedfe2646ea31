import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import { listMails, readMail } from "#delivery/mailbox.ts";
import { isLocalCall } from "../origin-of-call.ts";
import type { Handlers } from "../register-routes.ts";

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
  async readiness(app) {
    if (!(await app.queue.ready()))
      throw new AppError("NOT_READY", "The database or the queue is not reachable.");
    await app.jobs.blobs.probe().catch((error: unknown) => {
      app.logger.warn({ err: error }, "captures cannot be stored");
      throw new AppError("NOT_READY", "Captures cannot be stored.");
    });
    return { status: "ready" };
  },
  async metrics(app, { request, reply }) {
    const { metricsToken: token } = app.config;
    const isAllowed = token ? isBearer(request, token) : isLocalCall(request) && isFromHere(request.ip);
    if (!isAllowed) throw new AppError("NOT_FOUND");
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics());
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

function isFromHere(ip: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(ip);
}

function isBearer({ headers }: FastifyRequest, token: string): boolean {
  const given = createHash("sha256")
    .update(headers.authorization ?? "")
    .digest();
  return timingSafeEqual(given, createHash("sha256").update(`Bearer ${token}`).digest());
}

/** Mails hold links that sign people in: they are shown to this machine's own user only. */
function openMailbox(folder: string | undefined, request: FastifyRequest): string {
  if (!folder || !isLocalCall(request)) throw new AppError("NOT_FOUND");
  return folder;
}
