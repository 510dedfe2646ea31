import { join } from "node:path";
import { type Mailer, openMailboxMailer, openSmtpMailer } from "#mail/mailer.ts";
import type { Config } from "../config.ts";

export const mailFolderOf = ({ mailDir }: Pick<Config, "mailDir">, dataDir: string): string =>
  mailDir ?? join(dataDir, "mailbox");

/** Sends mails through the operator's mail server, or writes them to a folder if there is none. */
export const openMailer = (
  config: Pick<Config, "mailDir" | "mailFrom" | "smtpUrl">,
  dataDir: string,
): Mailer =>
  config.smtpUrl
    ? openSmtpMailer(config.smtpUrl, config.mailFrom)
    : openMailboxMailer(mailFolderOf(config, dataDir), config.mailFrom);
