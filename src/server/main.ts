import { createApi } from "./api.ts";
import { startCapturing } from "./capturing.ts";
import { compose } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { startDemo } from "./demo.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { createLogger } from "./logger.ts";
import { startScheduler } from "./scheduler.ts";
import { StartError } from "./start-error.ts";
import { startTelegram } from "./telegram.ts";
import { startWorker } from "./worker.ts";

/** Starts the roles that this process has; answers how to stop them. */
async function start(config: Config): Promise<() => Promise<void>> {
  const logger = createLogger(config.logLevel);
  const app = await compose(config, logger);
  const closers = [app.close];
  try {
    closers.push(await startDemo(app));
    const runs = (role: Config["role"]) => config.role === "all" || config.role === role;
    if (runs("worker")) {
      await startWorker(app);
      // After the queue has drained, so before it in the order of opening.
      closers.unshift(await startCapturing(app));
    }
    if (runs("scheduler")) closers.push(startHousekeeping(app), startScheduler(app));
    if (runs("api")) {
      closers.push(startTelegram(app));
      const server = await createApi(app);
      closers.push(() => server.close());
      await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "EADDRINUSE")
          throw new StartError(`PORT ${config.port} is taken; set PORT to another.`);
        throw new StartError(
          `HOST ${config.host} with PORT ${config.port} cannot be listened on (${error.code}).`,
        );
      });
    }
    announce(config, app.mailbox !== undefined);
  } catch (error) {
    for (const close of closers.reverse()) await close();
    throw error;
  }
  return async () => {
    logger.info("stopping");
    for (const close of closers.reverse()) await close();
  };
}

function announce(config: Config, mailbox: boolean): void {
  const mails = config.smtpUrl
    ? "sent by SMTP_URL"
    : mailbox
      ? `${config.baseUrl}/mailbox`
      : `${config.dataDir}/mailbox`;
  const lines = [
    `Watchglass is at  ${config.baseUrl}`,
    `Mails are at      ${mails}`,
    "Stop it with      Ctrl+C",
  ];
  process.stdout.write(`\n  ${lines.join("\n  ")}\n\n`);
}

try {
  const stop = await start(readConfig(process.env));
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      // What does not drain within 30 s is given up: the queue brings it back.
      setTimeout(() => process.exit(1), 30_000).unref();
      void stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
