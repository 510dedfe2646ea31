import type { FastifyInstance } from "fastify";
import type { QueueTuning } from "#queue/queue.ts";
import { createApi } from "./api.ts";
import { compose } from "./compose.ts";
import { type Config, type Role, readConfig } from "./config.ts";
import { createLogger } from "./logger.ts";
import { createOperations } from "./operations.ts";
import { sayStarted } from "./say-started.ts";
import { startAgain } from "./start-again.ts";
import { startDuties } from "./start-duties.ts";
import { StartError } from "./start-error.ts";
import { whyNotReady } from "./why-not-ready.ts";

/** Runs what the environment asks for, until it is told to stop. */
export async function runRoles(environment: NodeJS.ProcessEnv, tuning: QueueTuning = {}): Promise<void> {
  try {
    const config = readConfig(environment);
    const stop = await startAgain(() => start(config, tuning));
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
}

/** Starts the roles that this process has; answers how to stop them. */
async function start(config: Config, tuning: QueueTuning): Promise<() => Promise<void>> {
  const logger = createLogger(config.logLevel);
  await using starting = new AsyncDisposableStack();
  const runs = (role: Role) => config.role === "all" || config.role === role;
  // What is deferred first is closed last: the browser outlives the queue, whose tasks need it while it drains.
  let endAfterQueue = async () => {};
  starting.defer(() => endAfterQueue());
  const app = starting.adopt(await compose(config, logger, tuning), ({ close }) => close());
  const running = await startDuties(app, ({ role }) => runs(role));
  ({ endAfterQueue } = running);
  starting.defer(running.end);
  const server = starting.adopt(runs("api") ? await createApi(app) : createOperations(app), (opened) =>
    opened.close(),
  );
  const port = await listen(server, config, runs("api"));
  sayStarted(app, port, await whyNotReady(app));
  const started = starting.move();
  return async () => {
    logger.info("stopping");
    await started.disposeAsync();
  };
}

/** Where it listens. A role without the API whose port is nobody's wish takes any that is free. */
async function listen(server: FastifyInstance, config: Config, isApi: boolean): Promise<number> {
  const name = isApi ? "PORT" : "METRICS_PORT";
  const { host } = config;
  const port = isApi ? config.port : (config.metricsPort ?? 0);
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE")
      throw new StartError(`${name} ${port} is taken; set ${name} to another.`);
    throw new StartError(`HOST ${host} with ${name} ${port} cannot be listened on (${error.code}).`);
  });
  const address = server.server.address();
  return typeof address === "object" && address ? address.port : port;
}
