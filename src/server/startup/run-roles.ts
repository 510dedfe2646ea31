import type { FastifyInstance } from "fastify";
import type { QueueTuning } from "#queue/queue.ts";
import { createApi } from "../api.ts";
import { startEngine } from "../background-tasks/engine.ts";
import { type Config, type Role, readConfig } from "../config.ts";
import { findReadinessProblem } from "../observability/find-readiness-problem.ts";
import { createLogger } from "../observability/logger.ts";
import { createOperations } from "../observability/serve-health.ts";
import { printStartup } from "./print-startup.ts";
import { retryStart } from "./retry-start.ts";
import { startApp } from "./start-app.ts";
import { StartError } from "./start-error.ts";

/** Runs the roles that the environment asks for, until a signal stops them. */
export async function runRoles(environment: NodeJS.ProcessEnv, tuning: QueueTuning = {}): Promise<void> {
  try {
    const config = readConfig(environment);
    const stop = await retryStart(() => start(config, environment, tuning));
    let stopping = false;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (stopping) return;
        stopping = true;
        // Tasks that don't end within 30 s are abandoned; the queue retries them.
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

/** Starts the roles of this process; returns the function that stops them. */
async function start(
  config: Config,
  environment: NodeJS.ProcessEnv,
  tuning: QueueTuning,
): Promise<() => Promise<void>> {
  const logger = createLogger(config.logLevel);
  await using starting = new AsyncDisposableStack();
  const isAll = config.role === "all";
  const runs = (role: Role) => isAll || config.role === role;
  const { app, close } = await startApp(
    config,
    logger,
    tuning,
    ({ role }) => runs(role) && !(isAll && role === "worker"),
  );
  starting.defer(close);
  if (isAll) starting.defer(await startEngine(app, environment, tuning));
  const server = starting.adopt(runs("api") ? await createApi(app) : createOperations(app), (opened) =>
    opened.close(),
  );
  const port = await listen(server, config, runs("api"));
  printStartup(app, port, await findReadinessProblem(app));
  const started = starting.move();
  return async () => {
    logger.info("stopping");
    await started.disposeAsync();
  };
}

/** Listens, and returns the port. A role without the API takes any free port unless METRICS_PORT is set. */
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
