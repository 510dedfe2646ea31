import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { readConfig } from "./config.ts";
import type { EngineOrder, EngineSays, EngineStart } from "./engine.ts";
import { createLogger } from "./logger.ts";
import { restWhenIdle } from "./rest.ts";
import { startAgain } from "./start-again.ts";
import { startApp } from "./start-app.ts";
import { StartError } from "./start-error.ts";

// Linux knows a priority for each thread: whoever asks something of the server goes before what is checked.
if (process.platform === "linux") setPriority(3);
restWhenIdle();

const { environment, connectionString, tuning } = workerData as EngineStart;
const say = (said: EngineSays) => parentPort?.postMessage(said);

try {
  const config = { ...readConfig(environment), role: "worker" as const, databaseUrl: connectionString };
  const logger = createLogger(config.logLevel);
  const { app, close } = await startAgain(() =>
    startApp(config, logger, tuning, ({ role }) => role === "worker"),
  );
  parentPort?.on("message", (order: EngineOrder) => {
    if (order === "stop") return void close().finally(() => process.exit(0));
    void app.metrics.registry.getMetricsAsJSON().then((figures) => say({ figures }));
  });
  flushCompileCache();
  say("started");
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  say({ problem: error.message });
}
