import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { Deps as AccountDeps } from "#accounts/deps.ts";
import type { Deps as BillingDeps } from "#billing/deps.ts";
import { openBilling } from "#billing/open-billing.ts";
import { type Mailer, openMailboxMailer, openSmtpMailer } from "#delivery/mailer.ts";
import { openQueue, type Queue } from "#queue/queue.ts";
import { type Database, migrate, openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { createSecretBox } from "#storage/secret-box.ts";
import { type Config, listensOnLoopback } from "./config.ts";
import { keepSecret, lockDataDir, prepareDataDir } from "./data-dir.ts";
import type { Logger } from "./logger.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

export type App = {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  db: Database;
  queue: Queue;
  mailer: Mailer;
  /** Where local mails are kept, while they may be shown. */
  mailbox: string | undefined;
  accounts: AccountDeps;
  billing: BillingDeps;
  close: () => Promise<void>;
};

/** Opens every resource in order; close() closes them in reverse, also after a start that failed half-way. */
export async function compose(config: Config, logger: Logger): Promise<App> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const dataDir = await prepareDataDir(config.dataDir);
    const secret = config.sessionSecret ?? (await keepSecret(dataDir, "session-secret"));
    const dataKeys = config.dataKeys ?? [await keepSecret(dataDir, "data-key")];
    const connectionString = config.databaseUrl ?? (await startPostgres(dataDir, closers));
    await migrate(connectionString);

    const onError = (error: Error) => logger.warn({ err: error }, "database connection lost");
    const database = openDatabase(connectionString, { onError });
    closers.push(() => database.close());
    const queue = await openQueue(connectionString, { onError });
    closers.push(() => queue.close());
    const mailFolder = join(dataDir, "mailbox");
    const mailer = config.smtpUrl
      ? openSmtpMailer(config.smtpUrl, config.mailFrom)
      : openMailboxMailer(mailFolder, config.mailFrom);
    closers.push(() => mailer.close());

    const accounts = {
      db: database.db,
      queue,
      secrets: createSecretBox(dataKeys),
      baseUrl: config.baseUrl,
      sessionSecret: secret,
      signUpPerHour: config.signUpPerHour,
    };
    const billing = openBilling({
      db: database.db,
      queue,
      secrets: accounts.secrets,
      baseUrl: config.baseUrl,
      paddle: config.paddle,
      sandboxSecret: createHmac("sha256", secret).update("sandbox checkout").digest("hex"),
      report: (message, details) => logger.error(details, message),
    });
    const mailbox = !config.smtpUrl && listensOnLoopback(config) ? mailFolder : undefined;
    return {
      config,
      logger,
      metrics: createMetrics(),
      db: database.db,
      queue,
      mailer,
      mailbox,
      accounts,
      billing,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startPostgres(dataDir: string, closers: (() => unknown)[]): Promise<string> {
  const lock = lockDataDir(dataDir);
  closers.push(() => lock.close());
  const postgres = await startEmbeddedPostgres(dataDir);
  closers.push(() => postgres.stop());
  return postgres.connectionString;
}
