import { createHmac } from "node:crypto";
import { availableParallelism } from "node:os";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import { openBilling } from "#billing/open-billing.ts";
import { type OpenDetector, openDetector } from "#checks/open-detector.ts";
import { openChannels } from "#delivery/open-channels.ts";
import { openStamps } from "#delivery/open-stamps.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";
import { failureSentences, refusalKind } from "#network/failure.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { areUserHeadersAllowed } from "#network/user-headers.ts";
import { openQueue, type QueueTuning } from "#queue/queue.ts";
import { awaitDatabase, DatabaseProblem } from "#storage/await-database.ts";
import { openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { migrate } from "#storage/migrate.ts";
import { openPace } from "#storage/open-pace.ts";
import { createSecretBox } from "#storage/secret-box.ts";
import type { App } from "./app.ts";
import { type Config, listensOnLoopback } from "./config.ts";
import { keepSecret, lockDataDir, prepareDataDir } from "./data-dir.ts";
import { openLiveEvents } from "./live-events.ts";
import type { Logger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";
import { openCaptures } from "./open-captures.ts";
import { mailFolderOf, openMailer } from "./open-mailer.ts";
import { isLoopback } from "./origin-of-call.ts";
import { derivePushKeys } from "./push-keys.ts";
import { StartError } from "./start-error.ts";
import { createBot } from "./telegram.ts";
import { openTracing } from "./tracing.ts";
import { openTurns } from "./turns.ts";
import { watchMetrics } from "./watch-metrics.ts";

/** Opens every resource in order; close() closes them in reverse, also after a start that failed half-way. */
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
  await reach(connectionString, logger);
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
  const guard = createGuard({ allow: config.egressAllow, logger });
  const http = createGuardedFetch(guard);
  opening.defer(async () => http.close());
  const mailer = openMailer(config, dataDir);
  opening.defer(async () => mailer.close());

  const secrets = createSecretBox(dataKeys);
  const detector = detectorOf(availableParallelism());
  opening.defer(async () => detector.close());
  const onDemand = detectorOf(2);
  opening.defer(async () => onDemand.close());
  const events = openLiveEvents(connectionString, database.db, onError);
  opening.defer(async () => events.close());
  // After all that its tasks use, so that they have it while the queue drains.
  const tracing = await openTracing(config);
  opening.defer(() => tracing.close());
  const queue = await openQueue(connectionString, { onError, tracing, ...tuning });
  opening.defer(async () => queue.close());
  opening.defer(async () => {
    closing = true;
  });
  const metrics = createMetrics();
  const jobs: JobDeps = {
    db: database.db,
    queue,
    secrets,
    blobs: await openCaptures(config, dataDir),
    detector: onDemand,
    async refuseTarget(url) {
      const judgement = await guard.judge(url, "page");
      return judgement.ok ? null : failureSentences[refusalKind(judgement)];
    },
    refuseHeaders: (headers) =>
      areUserHeadersAllowed(headers)
        ? null
        : "These headers may not be sent: at most 10 and 8 KiB, plain names, and none that steer the connection.",
  };
  const pushKeys = derivePushKeys(secret);
  const alerts: AlertDeps = {
    ...jobs,
    detector,
    baseUrl: config.baseUrl,
    observe: (channel, result) => metrics.deliveries.inc({ channel, result }),
    channels: await openChannels({
      mailer,
      http,
      allow: config.egressAllow,
      pace: openPace(database.db),
      baseUrl: config.baseUrl,
      telegram: config.telegram,
      pushKeys,
    }),
  };
  const evidence = {
    db: database.db,
    queue,
    secrets,
    blobs: jobs.blobs,
    baseUrl: config.baseUrl,
    requestStamp: config.timestampUrl ? openStamps(http, config.timestampUrl) : null,
  };
  const accounts = {
    db: database.db,
    queue,
    secrets,
    baseUrl: config.baseUrl,
    sessionSecret: secret,
    signUpPerHour: config.signUpPerHour,
  };
  const isPrivate = listensOnLoopback(config) && isLoopback(config.baseUrl);
  const billing = await openBilling({
    db: database.db,
    queue,
    secrets: accounts.secrets,
    baseUrl: config.baseUrl,
    paddle: config.paddle,
    // Beyond this machine it would sell plans to strangers for nothing: there it must be asked for.
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
    alerts,
    evidence,
    detector,
    comparing: openTurns(2, "comparisons of yours"),
    trying: openTurns(2, "trials of yours"),
    pushKeys,
    importing: openTurns(1, "import of yours"),
    guard,
    events,
    connectionString,
    databasePool: database.pool,
  };
  const bot = await createBot(app);
  const opened = opening.move();
  const composed = { ...app, bot, close: () => opened.disposeAsync() };
  watchMetrics(composed, () => detector.load());
  return composed;
}

async function reach(connectionString: string, logger: Logger): Promise<void> {
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
