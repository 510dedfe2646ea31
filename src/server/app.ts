import type { Deps as AccountDeps } from "#accounts/deps.ts";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import type { Deps as BillingDeps } from "#billing/deps.ts";
import type { SharedDetector } from "#checks/deps.ts";
import type { Mailer } from "#delivery/mailer.ts";
import type { TelegramBot } from "#delivery/telegram-bot.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";
import type { Guard } from "#network/guard.ts";
import type { Queue } from "#queue/queue.ts";
import type { Tracing } from "#queue/tracing.ts";
import type { Deps as EvidenceDeps } from "#reports/close-days.ts";
import type { Database, OpenDatabase } from "#storage/database.ts";
import type { Config } from "./config.ts";
import type { LiveEvents } from "./live-events.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { openTurns } from "./turns.ts";

/** What a process has open. */
export type App = {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  db: Database;
  queue: Queue;
  mailer: Mailer;
  /** Where local mails are kept, while they may be shown. */
  mailbox: string | undefined;
  accounts: AccountDeps;
  billing: BillingDeps;
  jobs: JobDeps;
  alerts: AlertDeps;
  evidence: EvidenceDeps;
  /** Null where the installation has none. */
  bot: TelegramBot | null;
  /** For the checks; what people ask for waits in a lane of its own (`jobs.detector`). */
  detector: SharedDetector;
  comparing: ReturnType<typeof openTurns>;
  trying: ReturnType<typeof openTurns>;
  pushKeys: { publicKey: string; privateKey: string };
  importing: ReturnType<typeof openTurns>;
  guard: Guard;
  /** The account that visitors share in demo mode. */
  demoAccountId?: string;
  events: LiveEvents;
  connectionString: string;
  databasePool: OpenDatabase["pool"];
  close: () => Promise<void>;
};
