import { readFile } from "node:fs/promises";
import { AppError } from "#contract/errors.ts";
import { listMails, readMail } from "#delivery/mailbox.ts";
import type { Handlers } from "../register-routes.ts";

export const operationHandlers: Handlers<
  "site" | "portrait" | "health" | "readiness" | "metrics" | "listMails" | "readMail"
> = {
  async site({ config, mailbox }) {
    const { jurisdiction, supportEmail, about, demoPort } = config;
    return {
      jurisdiction,
      supportEmail,
      demo: demoPort !== null,
      mailbox: mailbox !== undefined,
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
  async metrics(app, { reply }) {
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics());
  },
  async listMails(app) {
    return { mails: await listMails(openMailbox(app.mailbox)) };
  },
  async readMail(app, { params }) {
    const mail = await readMail(openMailbox(app.mailbox), params.id);
    if (!mail) throw new AppError("NOT_FOUND", "There is no such mail.");
    return mail;
  },
};

function openMailbox(folder: string | undefined): string {
  if (!folder) throw new AppError("NOT_FOUND");
  return folder;
}
