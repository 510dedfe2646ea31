import { join } from "node:path";
import { type Mailer, openMailboxMailer, openSmtpMailer } from "#delivery/mailer.ts";
import type { Config } from "./config.ts";

export const mailFolderOf = ({ mailDir }: Pick<Config, "mailDir">, dataDir: string): string =>
  mailDir ?? join(dataDir, "mailbox");

/** Sends by the operator's mail server, or into a folder where there is none. */
export const openMailer = (
  config: Pick<Config, "mailDir" | "mailFrom" | "smtpUrl">,
  dataDir: string,
): Mailer =>
  config.smtpUrl
    ? openSmtpMailer(config.smtpUrl, config.mailFrom)
    : openMailboxMailer(mailFolderOf(config, dataDir), config.mailFrom);
