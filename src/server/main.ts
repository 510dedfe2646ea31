import { setFlagsFromString } from "node:v8";
import { createApi } from "./api.ts";
import { compose } from "./compose.ts";
import { type Config, type Role, readConfig } from "./config.ts";
import { createLogger } from "./logger.ts";
import { startDuties } from "./start-duties.ts";
import { StartError } from "./start-error.ts";

// By default every few pictures, which lie outside V8's heap, make it search all that is inside: a tenth of the work.
setFlagsFromString("--external-memory-accounted-in-global-limit");

/** Starts the roles that this process has; answers how to stop them. */
async function start(config: Config): Promise<() => Promise<void>> {
  const logger = createLogger(config.logLevel);
  await using starting = new AsyncDisposableStack();
  const runs = (role: Role) => config.role === "all" || config.role === role;
  // What is deferred first is closed last: the browser outlives the queue, whose tasks need it while it drains.
  let endAfterQueue = async () => {};
  starting.defer(() => endAfterQueue());
  const app = starting.adopt(await compose(config, logger), ({ close }) => close());
  const running = await startDuties(app, ({ role }) => runs(role));
  ({ endAfterQueue } = running);
  starting.defer(running.end);
  if (runs("api")) {
    const server = starting.adopt(await createApi(app), (opened) => opened.close());
    await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        throw new StartError(`PORT ${config.port} is taken; set PORT to another.`);
      throw new StartError(
        `HOST ${config.host} with PORT ${config.port} cannot be listened on (${error.code}).`,
      );
    });
  }
  announce(config, app.mailbox !== undefined, app.billing.provider.name);
  const started = starting.move();
  return async () => {
    logger.info("stopping");
    await started.disposeAsync();
  };
}

const checkouts = {
  paddle: "by Paddle",
  sandbox: "by the sandbox: plans cost nothing",
  none: "by the operator: npm run ops -- plan EMAIL ultimate",
};

function announce(config: Config, mailbox: boolean, checkout: keyof typeof checkouts): void {
  const mails = config.smtpUrl
    ? "sent by SMTP_URL"
    : mailbox
      ? `${config.baseUrl}/mailbox`
      : `${config.dataDir}/mailbox`;
  const lines = [
    `Watchglass is at  ${config.baseUrl}`,
    `Mails are at      ${mails}`,
    `Plans are sold    ${checkouts[checkout]}`,
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
