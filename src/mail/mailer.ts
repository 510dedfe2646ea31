import { randomBytes } from "node:crypto";
import { access, constants, mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import nodemailer, { type SendMailOptions } from "nodemailer";

type Mail = Pick<SendMailOptions, "headers" | "attachments" | "messageId"> & {
  to: string;
  subject: string;
  text: string;
  html: string;
};
type MailResult = { ok: true } | { ok: false; failure: { message: string; transient: boolean } };
export type Mailer = {
  send(mail: Mail): Promise<MailResult>;
  /** Throws an error with the reason if mails can't be handed over at the moment. */
  probe(): Promise<void>;
  close(): void;
};

/** Sends by SMTP; distinguishes a permanent refusal (5xx) from a server that is down or busy. */
export function openSmtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = nodemailer.createTransport(
    // Ends before its task does: that would be tried again while this conversation goes on.
    { url: smtpUrl, socketTimeout: 240_000, connectionTimeout: 30_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail(oneRecipient(mail));
        return { ok: true };
      } catch (error) {
        const { message, responseCode } = error as Error & { responseCode?: number };
        return { ok: false, failure: { message, transient: !(responseCode && responseCode >= 500) } };
      }
    },
    async probe() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

/** Stores mails as .eml files in a folder, for a machine without a mail server. */
export function openMailboxMailer(folder: string, from: string): Mailer {
  const transport = nodemailer.createTransport(
    { streamTransport: true, buffer: true, newline: "unix" },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send(mail) {
      const { message } = await transport.sendMail(oneRecipient(mail));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replace(/[:.]/g, "-")}-${randomBytes(4).toString("hex")}.eml`;
      const partial = join(folder, `.${name}`);
      const file = await open(partial, "wx", 0o600);
      try {
        await file.writeFile(message as Buffer);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, join(folder, name));
      return { ok: true };
    },
    async probe() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
    },
    close: () => transport.close(),
  };
}

/** The address is passed as an object, so that commas or names inside it cannot add recipients. */
function oneRecipient(mail: Mail): SendMailOptions {
  return { ...mail, to: { name: "", address: mail.to } };
}
