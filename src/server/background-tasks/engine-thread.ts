import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { readConfig } from "../config.ts";
import { createLogger } from "../observability/logger.ts";
import { retryStart } from "../startup/retry-start.ts";
import { startApp } from "../startup/start-app.ts";
import { StartError } from "../startup/start-error.ts";
import type { EngineMessage, EngineOrder, EngineStart } from "./engine.ts";
import { releaseMemoryWhenIdle } from "./release-memory.ts";

// On Linux each thread has its own priority: calls to the server take precedence over checks.
if (process.platform === "linux") setPriority(3);
releaseMemoryWhenIdle();

const { environment, connectionString, tuning } = workerData as EngineStart;
const post = (message: EngineMessage) => parentPort?.postMessage(message);

try {
  const config = { ...readConfig(environment), role: "worker" as const, databaseUrl: connectionString };
  const logger = createLogger(config.logLevel);
  const { app, close } = await retryStart(() =>
    startApp(config, logger, tuning, ({ role }) => role === "worker"),
  );
  parentPort?.on("message", (order: EngineOrder) => {
    if (order === "stop") return void close().finally(() => process.exit(0));
    void app.metrics.registry.getMetricsAsJSON().then((figures) => post({ figures }));
  });
  flushCompileCache();
  post("started");
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  post({ problem: error.message });
}
