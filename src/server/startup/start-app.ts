import type { QueueTuning } from "#queue/queue.ts";
import type { App } from "../app.ts";
import type { Duty } from "../background-tasks/duty.ts";
import { startDuties } from "../background-tasks/start-duties.ts";
import type { Config } from "../config.ts";
import type { Logger } from "../observability/logger.ts";
import { compose } from "./compose.ts";

/** Opens every resource and starts the wanted duties; close() ends the duties before the resources they need. */
export async function startApp(
  config: Config,
  logger: Logger,
  tuning: QueueTuning,
  isWanted: (duty: Duty) => boolean,
): Promise<{ app: App; close: () => Promise<void> }> {
  await using starting = new AsyncDisposableStack();
  // What is deferred first is closed last: the browser outlives the queue, whose tasks need it while it drains.
  let endAfterQueue = async () => {};
  starting.defer(() => endAfterQueue());
  const app = starting.adopt(await compose(config, logger, tuning), (composed) => composed.close());
  const running = await startDuties(app, isWanted);
  ({ endAfterQueue } = running);
  starting.defer(running.end);
  const started = starting.move();
  return { app, close: () => started.disposeAsync() };
}
