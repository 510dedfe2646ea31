import { readFile } from "node:fs/promises";
import type { FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import { listMails, readMail } from "#mail/mailbox.ts";
import { isLocalCall } from "../request-handling/origin-of-call.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

/** What the installation shows about itself, and its local mailbox. */
export const siteHandlers: Handlers<"site" | "portrait" | "listMails" | "readMail"> = {
  async site({ config, mailbox }, { request }) {
    const { jurisdiction, supportEmail, about, demoPort, adHosts } = config;
    return {
      jurisdiction,
      supportEmail,
      demo: demoPort !== null,
      adList: adHosts !== null,
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
 * Mails contain links that can take over accounts, so only this machine's own user sees them. If SMTP_URL is set, or
 * HOST or BASE_URL is public, there is no folder, so that no token opens it either.
 */
function openMailbox(folder: string | undefined, request: FastifyRequest): string {
  if (!folder || !isLocalCall(request))
    throw new AppError(
      "NOT_FOUND",
      "Emails are shown only on the machine itself, and only while HOST and BASE_URL are loopback and SMTP_URL is not set.",
    );
  return folder;
}
