import type { Deps as AccountDeps } from "#accounts/deps.ts";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import type { Deps as BillingDeps } from "#billing/deps.ts";
import type { SharedDetector } from "#checks/deps.ts";
import type { Deps as EvidenceDeps } from "#evidence/daily-seal.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";
import type { LiveEvents } from "#live-events/open-live-events.ts";
import type { LiveBrowsers } from "#live-view/live-browsers.ts";
import type { Mailer } from "#mail/mailer.ts";
import type { Guard } from "#network/guard.ts";
import type { Deps as ProxyDeps } from "#proxies/deps.ts";
import type { Queue } from "#queue/queue.ts";
import type { Tracing } from "#queue/tracing.ts";
import type { MakeReport } from "#reports/run-report-process.ts";
import type { openAccountConcurrency } from "#request-limits/account-concurrency.ts";
import type { Deps as OpinionDeps } from "#second-opinion/deps.ts";
import type { Database, OpenDatabase } from "#storage/database.ts";
import type { TelegramBot } from "#telegram-bot/telegram-bot.ts";
import type { Deps as TriggerDeps } from "#triggers/deps.ts";
import type { Config } from "./config.ts";
import type { Logger } from "./observability/logger.ts";
import type { Metrics } from "./observability/metrics.ts";

/** Everything that a process has open. */
export type App = {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  db: Database;
  queue: Queue;
  mailer: Mailer;
  /** The folder of locally stored mails; undefined if they may not be shown. */
  mailbox: string | undefined;
  accounts: AccountDeps;
  billing: BillingDeps;
  jobs: JobDeps;
  proxies: ProxyDeps;
  alerts: AlertDeps;
  secondOpinion: OpinionDeps;
  triggers: TriggerDeps;
  evidence: EvidenceDeps;
  /** Null if the installation has no bot. */
  bot: TelegramBot | null;
  /** For checks. Requests of users have a separate detector (`jobs.detector`), so they don't wait for checks. */
  detector: SharedDetector;
  comparing: ReturnType<typeof openAccountConcurrency>;
  searching: ReturnType<typeof openAccountConcurrency>;
  previewing: ReturnType<typeof openAccountConcurrency>;
  trying: ReturnType<typeof openAccountConcurrency>;
  pushKeys: { publicKey: string; privateKey: string };
  exporting: ReturnType<typeof openAccountConcurrency>;
  importing: ReturnType<typeof openAccountConcurrency>;
  guard: Guard;
  /** The account that all visitors share in demo mode. */
  demoAccountId?: string;
  /** Why this process has no browser at the moment; undefined if it has one or needs none. */
  browserProblem?: string | undefined;
  liveBrowsers: LiveBrowsers;
  events: LiveEvents;
  connectionString: string;
  /** Where captures are stored, for processes that open it themselves. */
  captureStore: URL;
  makeReport: MakeReport;
  databasePool: OpenDatabase["pool"];
  close: () => Promise<void>;
};
