import { createHmac } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import { openBilling } from "#billing/open-billing.ts";
import { openChannels } from "#channels/open-channels.ts";
import { openSendRate } from "#channels/open-send-rate.ts";
import { derivePushKeys } from "#channels/push-keys.ts";
import { type OpenDetector, openDetector } from "#checks/detection-threads/open-detector.ts";
import { openStamps } from "#evidence/request-stamp.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";
import { openLiveEvents } from "#live-events/open-live-events.ts";
import { openLiveBrowsers } from "#live-view/live-browsers.ts";
import { failureSentences, refusalKind } from "#network/failure.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { areUserHeadersAllowed } from "#page-requests/user-headers.ts";
import { setOperatorProxies } from "#proxies/set-operator-proxies.ts";
import { openQueue, type QueueTuning } from "#queue/queue.ts";
import { runReportProcess } from "#reports/run-report-process.ts";
import { openAccountConcurrency } from "#request-limits/account-concurrency.ts";
import { awaitDatabase, DatabaseProblem } from "#storage/await-database.ts";
import { openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { createSecretBox } from "#storage/encryption/secret-box.ts";
import { openLockedBucket } from "#storage/locked-bucket.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { createBot } from "#telegram-bot/start-telegram-bot.ts";
import type { App } from "../app.ts";
import { type Config, listensOnLoopback } from "../config.ts";
import type { Logger } from "../observability/logger.ts";
import { createMetrics } from "../observability/metrics.ts";
import { openTracing } from "../observability/tracing.ts";
import { watchMetrics } from "../observability/watch-metrics.ts";
import { isLoopback } from "../request-handling/origin-of-call.ts";
import { keepSecret, lockDataDir, prepareDataDir } from "./data-dir.ts";
import { findCaptureStore, openCaptureStore } from "./open-capture-store.ts";
import { mailFolderOf, openMailer } from "./open-mailer.ts";
import { StartError } from "./start-error.ts";

/** Opens every resource in order; close() closes them in reverse. A start that fails halfway closes what it opened. */
// Long because it opens each resource once, in an order that matters for closing, and most lines are names of settings.
export async function compose(
  config: Config,
  logger: Logger,
  tuning: QueueTuning = {},
  detectorOf: (size: number) => OpenDetector = openDetector,
): Promise<App> {
  await using opening = new AsyncDisposableStack();
  const dataDir = await prepareDataDir(config.dataDir);
  const secret = config.sessionSecret ?? (await keepSecret(dataDir, "session-secret"));
  const dataKeys = config.dataKeys ?? [await keepSecret(dataDir, "data-key")];
  const connectionString = config.databaseUrl ?? (await startPostgres(dataDir, opening));
  await waitForDatabase(connectionString, logger);
  await migrate(connectionString).catch((error: Error) => {
    throw new StartError(`The database could not be migrated: ${(error.cause as Error).message}.`, {
      cause: error,
    });
  });

  let closing = false;
  const onError = (error: Error) => {
    if (!closing) logger.warn({ err: error }, "database connection lost");
  };
  const database = openDatabase(connectionString, { onError });
  opening.defer(() => database.close());
  const guard = createGuard({
    allow: config.egressAllow,
    logger,
    proxiesLookUpNames: config.proxies.mayLookUpNames,
  });
  const http = createGuardedFetch(guard);
  opening.defer(async () => http.close());
  const mailer = openMailer(config, dataDir);
  opening.defer(async () => mailer.close());

  const secrets = createSecretBox(dataKeys);
  const detector = detectorOf(availableParallelism());
  opening.defer(async () => detector.close());
  const userDetector = detectorOf(2);
  opening.defer(async () => userDetector.close());
  const events = openLiveEvents(connectionString, database.db, onError);
  opening.defer(async () => events.close());
  // Opened after everything that its tasks use, so that they still have it while the queue drains.
  const tracing = await openTracing(config);
  opening.defer(() => tracing.close());
  const queue = await openQueue(connectionString, { onError, tracing, ...tuning });
  opening.defer(async () => queue.close());
  opening.defer(async () => {
    closing = true;
  });
  const metrics = createMetrics();
  const isPrivate = listensOnLoopback(config) && isLoopback(config.baseUrl);
  const jobs: JobDeps = {
    db: database.db,
    queue,
    secrets,
    blobs: await openCaptureStore(config, dataDir),
    detector: userDetector,
    async refuseTarget(url) {
      const judgement = await guard.judge(url, "page");
      if (judgement.ok) return null;
      const kind = refusalKind(judgement);
      // Whoever uses an installation for this machine only operates it too. All refusals get the same hint (E11).
      return isPrivate && kind !== "redirects"
        ? `${failureSentences[kind]} To allow a private address, add it to EGRESS_ALLOW and restart Watchglass.`
        : failureSentences[kind];
    },
    hasAdList: config.adHosts !== null,
    refuseHeaders: (headers) =>
      areUserHeadersAllowed(headers)
        ? null
        : "These headers may not be sent: at most 10 and 8 KiB, plain names, and none that steer the connection.",
  };
  const liveBrowsers = openLiveBrowsers({
    guard,
    logger,
    most: config.liveViews,
    chromiumPath: config.chromiumPath,
    sandbox: config.captureSandbox,
    cacheDir: join(config.dataDir, "browser"),
  });
  opening.defer(() => liveBrowsers.close());
  const { mayLookUpNames, echoUrl } = config.proxies;
  const { refuseTarget } = jobs;
  const proxies = { db: database.db, secrets, http, refuseTarget, mayLookUpNames, echoUrl };
  await setOperatorProxies(proxies, config.proxies.operators);
  const pushKeys = derivePushKeys(secret);
  const channelOptions = {
    mailer,
    http,
    allow: config.egressAllow,
    baseUrl: config.baseUrl,
    telegram: config.telegram,
    pushKeys,
  };
  const pace = openSendRate(database.db);
  const alerts: AlertDeps = {
    ...jobs,
    detector,
    baseUrl: config.baseUrl,
    observe: (channel, result) => metrics.deliveries.inc({ channel, result }),
    channels: await openChannels({ ...channelOptions, pace }),
    testChannels: await openChannels({ ...channelOptions, pace: { ...pace, take: async () => 0 } }),
  };
  const evidence = {
    db: database.db,
    queue,
    secrets,
    blobs: jobs.blobs,
    baseUrl: config.baseUrl,
    requestStamp: config.timestampUrl ? openStamps(http, config.timestampUrl) : null,
    http,
    bucket: config.evidenceStore ? openLockedBucket(new URL(config.evidenceStore)) : null,
    async refuseWebhook(url: string) {
      const judgement = await guard.judge(url, "trigger");
      return judgement.ok ? null : failureSentences[refusalKind(judgement)];
    },
  };
  const accounts = {
    db: database.db,
    queue,
    secrets,
    baseUrl: config.baseUrl,
    sessionSecret: secret,
    signUpPerHour: config.signUpPerHour,
  };
  const billing = await openBilling({
    db: database.db,
    queue,
    secrets: accounts.secrets,
    baseUrl: config.baseUrl,
    paddle: config.paddle,
    // If other machines can reach it, it would sell plans to strangers for free, so it must be enabled explicitly.
    isSandbox: isPrivate || config.sandboxCheckout,
    sandboxSecret: createHmac("sha256", secret).update("sandbox checkout").digest("hex"),
    report: (message, details) => logger.error(details, message),
  });
  const mailbox = !config.smtpUrl && isPrivate ? mailFolderOf(config, dataDir) : undefined;
  const app = {
    config,
    logger,
    metrics,
    tracing,
    db: database.db,
    queue,
    mailer,
    mailbox,
    accounts,
    billing,
    jobs,
    proxies,
    alerts,
    triggers: { ...alerts, http },
    secondOpinion: { db: database.db, queue, secrets, http, refuseTarget },
    evidence,
    detector,
    comparing: openAccountConcurrency(2, "comparisons of yours"),
    searching: openAccountConcurrency(2, "searches of yours"),
    trying: openAccountConcurrency(2, "tests of yours"),
    // Each holds a capture in memory while it waits. Visitors of a demo share an account.
    previewing: openAccountConcurrency(12, "previews of rules"),
    pushKeys,
    exporting: openAccountConcurrency(3, "exports of yours"),
    importing: openAccountConcurrency(1, "import of yours"),
    guard,
    liveBrowsers,
    events,
    connectionString,
    captureStore: findCaptureStore(config, dataDir),
    makeReport: runReportProcess,
    databasePool: database.pool,
  };
  const bot = await createBot(app);
  const opened = opening.move();
  const composed = { ...app, bot, close: () => opened.disposeAsync() };
  watchMetrics(composed, () => detector.load());
  return composed;
}

async function waitForDatabase(connectionString: string, logger: Logger): Promise<void> {
  const onWait = (reason: string) => logger.warn({ reason }, "waiting for the database");
  await awaitDatabase(connectionString, { onWait }).catch((error: unknown) => {
    throw error instanceof DatabaseProblem ? new StartError(error.message) : error;
  });
}

async function startPostgres(dataDir: string, opening: AsyncDisposableStack): Promise<string> {
  const lock = lockDataDir(dataDir);
  opening.defer(async () => lock.close());
  const postgres = await startEmbeddedPostgres(dataDir).catch((error: Error) => {
    throw new StartError(error.message);
  });
  opening.defer(() => postgres.stop());
  return postgres.connectionString;
}
